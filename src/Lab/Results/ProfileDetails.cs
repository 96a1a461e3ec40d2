using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Results;

/// <summary>Which latencies and faults the emulator of the run was asked for, and what it kept of them.</summary>
internal sealed record ProfileDetails
{
    /// <summary>The latency profile, by its name or file. Null where the emulator is not the run's own.</summary>
    public string? Name { get; init; }

    /// <summary>SHA-256 of the profile as JSON, lower-case hexadecimal: equal where two runs had the same. Null without a profile.</summary>
    public string? Sha256 { get; init; }

    /// <summary>The faults, by their names or files. Null without.</summary>
    public IReadOnlyList<string>? Faults { get; init; }

    /// <summary>The requested and the kept latency of each operation that occurred. Empty where the emulator is not the run's own.</summary>
    public required IReadOnlyList<InjectedLatency> Latencies { get; init; }
}
