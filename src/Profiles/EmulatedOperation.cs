namespace EventHubThroughput.Profiles;

/// <summary>The operations that a profile can delay. Their order is part of every seed, so new ones are added at the end.</summary>
public enum EmulatedOperation
{
    /// <summary>A transfer to a queue or topic, with any number of messages.</summary>
    MessageSend,

    /// <summary>An upload outside the checkpoint layout, a block or a block list.</summary>
    BlobWrite,

    /// <summary>A write to a blob with the name of a checkpoint.</summary>
    CheckpointWrite,

    /// <summary>The time from credit on an idle reader's link to its next delivery.</summary>
    EventReceive,

    /// <summary>A transfer to an event hub, with any number of events.</summary>
    EventSend,

    /// <summary>Each run of events that is delivered to a reader.</summary>
    EventDeliver,

    /// <summary>The time from credit on an idle receiver's link to its next message.</summary>
    MessageReceive,

    /// <summary>A completed, abandoned, deferred or dead-lettered message.</summary>
    MessageSettle,

    /// <summary>A write to a blob with the name of an ownership.</summary>
    OwnershipWrite,

    /// <summary>Reading a blob or its properties.</summary>
    BlobRead,

    /// <summary>A page of a list of blobs or containers.</summary>
    BlobList,

    /// <summary>Deleting a blob.</summary>
    BlobDelete,

    /// <summary>A request on a <c>$management</c> node.</summary>
    Management,
}
