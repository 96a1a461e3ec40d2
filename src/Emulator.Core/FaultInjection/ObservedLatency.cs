using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>The requested and the observed service time of an operation since its profile was set, without the wait for its turn.</summary>
public sealed record ObservedLatency(EmulatedOperation Operation)
{
    public double AskedMeanMilliseconds { get; init; }

    public double AskedDeviationMilliseconds { get; init; }

    public long Count { get; init; }

    public double MeanMilliseconds { get; init; }

    public double DeviationMilliseconds { get; init; }

    public double MedianMilliseconds { get; init; }

    public double P99Milliseconds { get; init; }

    /// <summary>Operations that were refused because of their rate. The count excludes them.</summary>
    public long Throttles { get; init; }
}
