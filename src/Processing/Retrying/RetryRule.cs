using EventHubThroughput.Clients;

namespace EventHubThroughput.Processing.Retrying;

/// <summary>How often and how long a failed write is tried again, and how long a failed checkpoint waits: as the clients' own back-off says.</summary>
internal sealed record RetryRule
{
    // The one back-off of the whole program: from 0.1 s doubling, with full jitter, at most 5 s apart.
    private static readonly RetryOptions BackOff = new();

    /// <summary>Attempts after the first.</summary>
    public int Limit { get; init; } = BackOff.MaximumRetries;

    /// <summary>How long an operation may take with all its attempts. Time without a connection does not count.</summary>
    public TimeSpan OperationLimit { get; init; } = BackOff.OperationTimeout;

    /// <summary>Draws the jitter, 0 to 1.</summary>
    public Func<double> Jitter { get; init; } = Random.Shared.NextDouble;

    /// <summary>The pause before the given attempt; 1 is the first repetition.</summary>
    /// <param name="repetition">Which.</param>
    /// <param name="advised">What the service asked for: never less than this.</param>
    public TimeSpan DelayBefore(int repetition, TimeSpan advised = default)
    {
        var drawn = BackOff.DelayOf(repetition - 1, Jitter());
        return drawn > advised ? drawn : advised;
    }

    /// <summary>Failures of the whole service, which no other event would survive either.</summary>
    public static bool IsFatal(FailureKind kind) =>
        kind is FailureKind.NotFound or FailureKind.Unauthorized or FailureKind.Unavailable or FailureKind.Unreachable;
}
