namespace EventHubThroughput.Consumer.Results;

/// <summary>The rate of the measured section.</summary>
internal sealed record ThroughputFigures
{
    /// <summary>Events that were completed in it.</summary>
    public required long Events { get; init; }

    /// <summary>Events a second; null when nothing was measured.</summary>
    public double? EventsPerS { get; init; }

    /// <summary>Events that were completed after a partition of several had run dry or the time to measure was over, which no rate counts; null when none did.</summary>
    public long? TailEvents { get; init; }
}
