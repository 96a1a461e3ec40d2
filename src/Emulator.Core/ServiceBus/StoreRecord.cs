namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The kinds of record in the log of a store. The numbers are part of the format.</summary>
internal enum StoreRecord : byte
{
    /// <summary>The settings of the queue. The first record of a queue's log.</summary>
    Queue = 1,

    /// <summary>The settings of the topic. The first record of a topic's log.</summary>
    Topic = 2,

    /// <summary>Number and settings of a subscription.</summary>
    Subscription = 3,

    /// <summary>A subscription was deleted with its messages.</summary>
    SubscriptionGone = 4,

    /// <summary>All rules of a subscription.</summary>
    Rules = 5,

    /// <summary>Messages that were sent together, and the queues that received each of them.</summary>
    Enqueued = 6,

    /// <summary>Like <see cref="Enqueued"/>, for messages that existed when the log was rewritten.</summary>
    Kept = 7,

    /// <summary>Messages that left one queue.</summary>
    Removed = 8,

    /// <summary>Delivery count, deferral and optionally content of a message.</summary>
    Changed = 9,

    /// <summary>A message that left one queue for others, or for a new number in its queue.</summary>
    Moved = 10,

    /// <summary>Message ids that were used.</summary>
    Remembered = 11,

    /// <summary>The newest sequence number of a queue.</summary>
    LastSequence = 12,
}
