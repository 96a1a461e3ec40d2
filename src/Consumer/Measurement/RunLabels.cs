using EventHubThroughput.Clients;

namespace EventHubThroughput.Consumer.Measurement;

/// <summary>What tells one run from another in metrics.</summary>
internal sealed record RunLabels
{
    public required string Run { get; init; }

    public required string Strategy { get; init; }

    public required int Degree { get; init; }

    public required int Batch { get; init; }

    public int Window { get; init; }

    public int Prefetch { get; init; }

    /// <summary>The latencies of the emulator, by name; a hub that was given by settings has none.</summary>
    public string Profile { get; init; } = "service";

    public string Clients { get; init; } = ClientFamily.Official;

    public required string Version { get; init; }
}
