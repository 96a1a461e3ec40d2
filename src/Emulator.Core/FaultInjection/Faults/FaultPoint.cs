namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>The points at which a fault can strike.</summary>
public enum FaultPoint
{
    /// <summary>An accepted connection, before its first byte.</summary>
    Connect,

    /// <summary>The attach of a link by a peer.</summary>
    Attach,

    /// <summary>A token sent to <c>$cbs</c>.</summary>
    Token,

    HubManagement,

    QueueManagement,

    /// <summary>A transfer to an event hub, before it is stored.</summary>
    EventSend,

    /// <summary>An event, before it is sent to a reader.</summary>
    EventDeliver,

    /// <summary>A transfer to a queue or topic, before it is stored.</summary>
    MessageSend,

    /// <summary>A message, before it is sent to a receiver.</summary>
    MessageDeliver,

    /// <summary>The outcome of a locked message, before it takes effect.</summary>
    Settle,

    BlobWrite,

    BlobRead,

    BlobList,

    BlobDelete,

    CheckpointWrite,

    CheckpointRead,

    OwnershipWrite,

    /// <summary>A link for messages or events that was idle for a time.</summary>
    IdleLink,

    /// <summary>The clock that dates blobs.</summary>
    StorageClock,
}
