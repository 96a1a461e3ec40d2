using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

internal enum MessageState
{
    Available,
    Locked,
    Deferred,

    /// <summary>Waits for its time. Not delivered before.</summary>
    Scheduled,

    /// <summary>Being forwarded to another entity.</summary>
    Forwarding,

    /// <summary>Removed from the queue.</summary>
    Gone,
}

/// <summary>A message in a queue. Changed only under the gate of the store.</summary>
internal sealed class QueuedMessage(MessageQueue queue, long sequence, DateTimeOffset enqueued, MessageContent content)
{
    public MessageQueue Queue { get; } = queue;

    public long Sequence { get; } = sequence;

    public DateTimeOffset Enqueued { get; } = enqueued;

    public MessageContent Content { get; set; } = content;

    public int DeliveryCount { get; set; }

    public MessageState State { get; set; }

    /// <summary>Whether it returns to the deferred state when its lock ends.</summary>
    public bool IsDeferred { get; set; }

    public Guid LockToken { get; set; }

    public DateTimeOffset LockedUntil { get; set; }

    /// <summary>Null once it is enqueued.</summary>
    public DateTimeOffset? ScheduledFor { get; init; }

    /// <summary>Whether it was scheduled. Receivers get this information.</summary>
    public bool WasScheduled { get; set; }

    /// <summary>When it expires. Null when it never does.</summary>
    public DateTimeOffset? Expires { get; set; }

    /// <summary>Whether its queue will check its expiry at that time. False if the time came while it was locked or deferred.</summary>
    public bool AwaitsExpiry { get; set; }

    /// <summary>How often it was forwarded before it arrived here.</summary>
    public byte Hops { get; init; }

    /// <summary>The neighbours in order of sequence numbers. Used by <see cref="MessageIndex"/>.</summary>
    public QueuedMessage? Previous { get; set; }

    public QueuedMessage? Next { get; set; }

    public QueueDelivery Snapshot() => new(Sequence, Enqueued, Content, DeliveryCount, State, IsDeferred, WasScheduled, LockToken, LockedUntil, Expires);
}
