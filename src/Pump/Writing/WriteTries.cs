using EventHubThroughput.Clients;
using EventHubThroughput.Pump.Retrying;

namespace EventHubThroughput.Pump.Writing;

/// <summary>
/// The tries of one write: how many really reached the sink, and since when they count. A try without a connection sent nothing and proves nothing about the
/// event. The clients report when that lasts too long.
/// </summary>
internal struct WriteTries(long started)
{
    private int unconnected;

    /// <summary>Since when the time of the write counts, by the clock's raw timestamp.</summary>
    public long Since { get; private set; } = started;

    /// <summary>Tries that failed, those without a connection left out.</summary>
    public int Failed { get; private set; }

    /// <summary>Whether the sink asked to slow down at least once.</summary>
    public bool Throttled { get; private set; }

    /// <summary>Records a failure. Returns the pause before the next try, or null when none is left or another would change nothing.</summary>
    public TimeSpan? After(MessagingException failure, RetryRule rule, TimeProvider timeProvider)
    {
        Throttled |= failure.Kind == FailureKind.Throttled;
        if (failure.Kind == FailureKind.Unconnected)
        {
            Since = timeProvider.GetTimestamp();
            return rule.DelayBefore(++unconnected, failure.RetryAfter);
        }

        unconnected = 0;
        var pause = rule.DelayBefore(++Failed, failure.RetryAfter);
        var exhausted = !failure.IsTransient || Failed > rule.Limit || timeProvider.GetElapsedTime(Since) + pause > rule.OperationLimit;
        return exhausted ? null : pause;
    }
}
