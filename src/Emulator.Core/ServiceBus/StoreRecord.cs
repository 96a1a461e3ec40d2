namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The kinds of record in a store's log. The numbers are the format's.</summary>
internal enum StoreRecord : byte
{
    /// <summary>The settings of the queue. The first record of a queue's log.</summary>
    Queue = 1,

    /// <summary>The settings of the topic. The first record of a topic's log.</summary>
    Topic = 2,

    /// <summary>Number and settings of a subscription.</summary>
    Subscription = 3,

    /// <summary>A subscription is gone with all it held.</summary>
    SubscriptionGone = 4,

    /// <summary>All rules of a subscription.</summary>
    Rules = 5,

    /// <summary>Messages that were sent together, and where each of them went.</summary>
    Enqueued = 6,

    /// <summary>As <see cref="Enqueued"/>, of messages that were there when the log was rewritten.</summary>
    Kept = 7,

    /// <summary>Messages of one queue that are gone.</summary>
    Removed = 8,

    /// <summary>Delivery count, deferral and perhaps content of a message.</summary>
    Changed = 9,

    /// <summary>A message that left one queue for others, or for a new number in its own.</summary>
    Moved = 10,

    /// <summary>Message ids that were used.</summary>
    Remembered = 11,

    /// <summary>The newest number of a queue.</summary>
    LastSequence = 12,
}
