using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Retrying;

/// <summary>How often and how long a failed write is retried, and how long a failed checkpoint waits. It uses the back-off of the clients.</summary>
internal sealed record RetryRule
{
    // The defaults of the clients' back-off.
    private static readonly TimeSpan FirstDelay = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestDelay = TimeSpan.FromSeconds(5);

    /// <summary>Attempts after the first.</summary>
    public int Limit { get; init; } = 5;

    /// <summary>How long an operation may take with all its attempts. Time without a connection does not count.</summary>
    public TimeSpan OperationLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Returns the jitter, 0 to 1.</summary>
    public Func<double> Jitter { get; init; } = Random.Shared.NextDouble;

    /// <summary>The pause before an attempt.</summary>
    /// <param name="repetition">The number of the repetition. 1 is the first.</param>
    /// <param name="advised">The wait that the service asked for. The pause is never shorter.</param>
    public TimeSpan DelayBefore(int repetition, TimeSpan advised = default)
    {
        var drawn = BackOff.DelayOf(repetition - 1, FirstDelay, LongestDelay, Jitter());
        return drawn > advised ? drawn : advised;
    }

    /// <summary>Failures of the whole service, with which any other event would fail too.</summary>
    public static bool IsFatal(FailureKind kind) =>
        kind is FailureKind.NotFound or FailureKind.Unauthorized or FailureKind.Unavailable or FailureKind.Unreachable;
}
