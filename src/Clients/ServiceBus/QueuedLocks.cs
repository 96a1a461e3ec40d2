using EventHubThroughput.Amqp;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// Watches messages that wait in the queue of a link. At half of its lock a message is due to be released, so that none is returned with an expired lock. One
/// timer, for the message that is due first. May be used concurrently.
/// </summary>
/// <param name="timeProvider">The clock.</param>
/// <param name="due">Called when a message may be due. Must be short.</param>
internal sealed class QueuedLocks(TimeProvider timeProvider, Action due) : IDisposable
{
    // The wait if a lock has expired by our clock when its message arrives: the clocks differ.
    private static readonly TimeSpan ClocksDiffer = TimeSpan.FromSeconds(10);

    private readonly Lock gate = new();

    // Under the gate.
    private ITimer? timer;
    private DateTimeOffset standsAt = DateTimeOffset.MaxValue;
    private bool disposed;

    /// <summary>Records a message at the end of the queue.</summary>
    public void Add(IncomingDelivery queued)
    {
        lock (gate)
        {
            if (standsAt < DateTimeOffset.MaxValue)
            {
                // An older message is due before it. When that one is due, the next is searched.
                return;
            }
        }

        Watch(queued);
    }

    /// <summary>Watches the oldest message in the queue.</summary>
    public void Watch(IncomingDelivery queued)
    {
        var at = GetDue(queued);
        lock (gate)
        {
            if (disposed || at >= standsAt)
            {
                return;
            }

            standsAt = at;
            var after = at - timeProvider.GetUtcNow();
            timer ??= timeProvider.CreateTimer(static state => ((QueuedLocks)state!).Fire(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            timer.Change(after > TimeSpan.Zero ? after : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Whether half of a message's lock has passed.</summary>
    public bool IsDue(IncomingDelivery queued) => GetDue(queued) <= timeProvider.GetUtcNow();

    public void Dispose()
    {
        lock (gate)
        {
            disposed = true;
            timer?.Dispose();
        }
    }

    private void Fire()
    {
        lock (gate)
        {
            standsAt = DateTimeOffset.MaxValue;
        }

        due();
    }

    private DateTimeOffset GetDue(IncomingDelivery queued)
    {
        var arrived = timeProvider.GetUtcNow() - timeProvider.GetElapsedTime(queued.ArrivedAt);
        var lasts = GetLockedUntil(queued) - arrived;
        return arrived + ((lasts > TimeSpan.Zero ? lasts : ClocksDiffer) / 2);
    }

    // A message that cannot be decoded fails where it is received.
    private static DateTimeOffset GetLockedUntil(IncomingDelivery queued)
    {
        try
        {
            return MessageDecoder.Decode(queued.Payload).LockedUntil;
        }
        catch (AmqpException)
        {
            return default;
        }
    }
}
