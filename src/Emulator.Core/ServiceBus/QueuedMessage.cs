using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

internal enum MessageState
{
    Available,
    Locked,
    Deferred,

    /// <summary>Waits for its time. Delivered to nobody before.</summary>
    Scheduled,

    /// <summary>On its way to the entity that its queue forwards to.</summary>
    Forwarding,

    /// <summary>No longer in the queue.</summary>
    Gone,
}

/// <summary>A message in a queue. Changed under the store's gate only.</summary>
internal sealed class QueuedMessage(MessageQueue queue, long sequence, DateTimeOffset enqueued, MessageContent content)
{
    public MessageQueue Queue { get; } = queue;

    public long Sequence { get; } = sequence;

    public DateTimeOffset Enqueued { get; } = enqueued;

    public MessageContent Content { get; set; } = content;

    public int DeliveryCount { get; set; }

    public MessageState State { get; set; }

    /// <summary>What it goes back to when its lock ends.</summary>
    public bool IsDeferred { get; set; }

    public Guid LockToken { get; set; }

    public DateTimeOffset LockedUntil { get; set; }

    /// <summary>Null once it is enqueued.</summary>
    public DateTimeOffset? ScheduledFor { get; init; }

    /// <summary>Whether it had to wait for its time before it was enqueued. Its receivers are told.</summary>
    public bool WasScheduled { get; set; }

    /// <summary>When its time to live is over. Null when it has none.</summary>
    public DateTimeOffset? Expires { get; set; }

    /// <summary>Whether its queue will come back to it then. Not when that came up while it was locked or deferred.</summary>
    public bool AwaitsExpiry { get; set; }

    /// <summary>How often it was forwarded before it came here.</summary>
    public byte Hops { get; init; }

    /// <summary>The neighbours in order of sequence numbers. Kept by <see cref="MessageIndex"/>.</summary>
    public QueuedMessage? Previous { get; set; }

    public QueuedMessage? Next { get; set; }

    public QueueDelivery Snapshot() => new(Sequence, Enqueued, Content, DeliveryCount, State, IsDeferred, WasScheduled, LockToken, LockedUntil, Expires);
}
