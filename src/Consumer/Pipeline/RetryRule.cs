using EventHubThroughput.Clients;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>How often and how long a failed operation is tried again: exponential from 0.1 s with full jitter, at most 5 s apart.</summary>
internal sealed record RetryRule
{
    private static readonly TimeSpan FirstDelay = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestDelay = TimeSpan.FromSeconds(5);

    /// <summary>Attempts after the first.</summary>
    public int Limit { get; init; } = 5;

    /// <summary>No attempt begins later than this after the first one.</summary>
    public TimeSpan OperationLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Draws the jitter, 0 to 1.</summary>
    public required Func<double> Jitter { get; init; }

    /// <summary>The pause before the given attempt; 1 is the first repetition.</summary>
    public TimeSpan DelayBefore(int repetition)
    {
        var ceiling = FirstDelay * Math.Pow(2, Math.Min(repetition - 1, 16));
        return (ceiling < LongestDelay ? ceiling : LongestDelay) * Jitter();
    }

    /// <summary>Failures of the whole service, which no other event would survive either.</summary>
    public static bool IsFatal(FailureKind kind) =>
        kind is FailureKind.NotFound or FailureKind.Unauthorized or FailureKind.Unreachable;
}
