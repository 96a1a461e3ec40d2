namespace EventHubThroughput.Emulator.ServiceBus;

internal enum MessageState
{
    Available,
    Locked,
    Deferred,
}

/// <summary>A message in a queue. Changed under the queue's gate only.</summary>
internal sealed class QueuedMessage(long sequence, DateTimeOffset enqueued, MessageContent content)
{
    public long Sequence { get; } = sequence;

    public DateTimeOffset Enqueued { get; } = enqueued;

    public MessageContent Content { get; set; } = content;

    public int DeliveryCount { get; set; }

    public MessageState State { get; set; }

    /// <summary>What it goes back to when its lock ends.</summary>
    public bool IsDeferred { get; set; }

    public Guid LockToken { get; set; }

    public DateTimeOffset LockedUntil { get; set; }

    public QueueDelivery Snapshot() => new(Sequence, Enqueued, Content, DeliveryCount, State, IsDeferred, LockToken, LockedUntil);
}
