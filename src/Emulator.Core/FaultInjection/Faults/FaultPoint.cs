namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>Where a fault can strike.</summary>
public enum FaultPoint
{
    /// <summary>A connection that was accepted, before its first byte.</summary>
    Connect,

    /// <summary>A link that a peer asks for.</summary>
    Attach,

    /// <summary>A token that is put to <c>$cbs</c>.</summary>
    Token,

    HubManagement,

    QueueManagement,

    /// <summary>A transfer to an event hub, before it is stored.</summary>
    EventSend,

    /// <summary>An event, before it is handed to a reader.</summary>
    EventDeliver,

    /// <summary>A transfer to a queue or topic, before it is stored.</summary>
    MessageSend,

    /// <summary>A message, before it is handed to a receiver.</summary>
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

    /// <summary>A link for messages or events on which nothing has passed for a time.</summary>
    IdleLink,

    /// <summary>The clock that blobs are dated by.</summary>
    StorageClock,
}
