using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Retrying;

/// <summary>How often and how long a failed write is tried again, and how long a failed checkpoint waits: as the clients' own back-off says.</summary>
internal sealed record RetryRule
{
    // The defaults of the clients' own back-off.
    private static readonly TimeSpan FirstDelay = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestDelay = TimeSpan.FromSeconds(5);

    /// <summary>Attempts after the first.</summary>
    public int Limit { get; init; } = 5;

    /// <summary>How long an operation may take with all its attempts. Time without a connection does not count.</summary>
    public TimeSpan OperationLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Draws the jitter, 0 to 1.</summary>
    public Func<double> Jitter { get; init; } = Random.Shared.NextDouble;

    /// <summary>The pause before the given attempt. 1 is the first repetition.</summary>
    /// <param name="repetition">Which.</param>
    /// <param name="advised">What the service asked for: never less than this.</param>
    public TimeSpan DelayBefore(int repetition, TimeSpan advised = default)
    {
        var drawn = BackOff.DelayOf(repetition - 1, FirstDelay, LongestDelay, Jitter());
        return drawn > advised ? drawn : advised;
    }

    /// <summary>Failures of the whole service, which no other event would survive either.</summary>
    public static bool IsFatal(FailureKind kind) =>
        kind is FailureKind.NotFound or FailureKind.Unauthorized or FailureKind.Unavailable or FailureKind.Unreachable;
}
