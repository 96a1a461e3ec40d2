namespace EventHubThroughput.Consumer.Measurement;

/// <summary>What tells one run from another in metrics.</summary>
internal sealed record RunLabels
{
    public required string Run { get; init; }

    public required string Strategy { get; init; }

    public required int Degree { get; init; }

    public required int Batch { get; init; }

    public string Clients { get; init; } = "builtin";

    public required string Version { get; init; }
}
