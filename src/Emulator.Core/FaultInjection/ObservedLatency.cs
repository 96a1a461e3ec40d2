using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>Asked and observed service time of an operation, without the time spent waiting for its turn, since its profile was set.</summary>
public sealed record ObservedLatency(EmulatedOperation Operation)
{
    public double AskedMeanMilliseconds { get; init; }

    public double AskedDeviationMilliseconds { get; init; }

    public long Count { get; init; }

    public double MeanMilliseconds { get; init; }

    public double DeviationMilliseconds { get; init; }

    public double MedianMilliseconds { get; init; }

    public double P99Milliseconds { get; init; }

    /// <summary>Operations that were refused for their rate. They are not in the count.</summary>
    public long Throttles { get; init; }
}
