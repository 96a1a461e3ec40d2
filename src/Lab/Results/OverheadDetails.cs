namespace EventHubThroughput.Lab.Results;

/// <summary>
/// What an event costs in the consumer beside its writes, on this machine and just before the comparison: two sinks that have acknowledged when they are
/// called, events in turn on one thread. The same for everything that is compared.
/// </summary>
internal sealed record OverheadDetails
{
    /// <summary>Tracking, checks, timing and metrics of an event, in microseconds. The least of several rounds, because any other work adds to it.</summary>
    public required double HarnessCpuUsPerEvent { get; init; }

    /// <summary>The memory that this allocates for an event, in bytes.</summary>
    public required double HarnessAllocatedBytesPerEvent { get; init; }

    /// <summary>The rate with timing and metrics divided by the rate without. An upper bound of their cost, because no event is written.</summary>
    public required double MetricsOnOffRatio { get; init; }
}
