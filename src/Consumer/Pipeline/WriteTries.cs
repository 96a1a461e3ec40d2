using EventHubThroughput.Clients;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>
/// The tries of one write: how many really reached the sink, and since when they count. A try that found no connection sent nothing
/// and proves nothing about the event; the clients say when that has gone on for too long.
/// </summary>
internal struct WriteTries(long started)
{
    private long since = started;
    private int unconnected;

    /// <summary>Tries that failed, those without a connection left out.</summary>
    public int Failed { get; private set; }

    /// <summary>Whether the sink asked to slow down at least once.</summary>
    public bool Throttled { get; private set; }

    /// <summary>Whether the retries are used up, or another one would change nothing: the event is poison until a try succeeds.</summary>
    public bool Exhausted { get; private set; }

    /// <summary>How long the next try may take.</summary>
    public readonly TimeSpan Left(RetryRule rule, TimeProvider timeProvider)
    {
        var left = Exhausted ? rule.OperationLimit : rule.OperationLimit - timeProvider.GetElapsedTime(since);
        return left > TimeSpan.Zero ? left : TimeSpan.FromMilliseconds(1);
    }

    /// <summary>Takes note of a failure; gives the pause before the next try, or null when there is none left.</summary>
    public TimeSpan? After(MessagingException failure, RetryRule rule, TimeProvider timeProvider)
    {
        Throttled |= failure.Kind == FailureKind.Throttled;
        if (failure.Kind == FailureKind.Unconnected)
        {
            since = timeProvider.GetTimestamp();
            return rule.DelayBefore(++unconnected, failure.RetryAfter);
        }

        unconnected = 0;
        var pause = rule.DelayBefore(++Failed, failure.RetryAfter);
        Exhausted |= !failure.IsTransient || Failed > rule.Limit || timeProvider.GetElapsedTime(since) + pause > rule.OperationLimit;
        return Exhausted ? null : pause;
    }
}
