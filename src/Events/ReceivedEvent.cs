namespace EventHubThroughput.Events;

/// <summary>What an event's body is on the wire.</summary>
public enum EventBodyKind
{
    /// <summary>Opaque bytes (AMQP data sections).</summary>
    Data,

    /// <summary>One AMQP value; the bytes are its AMQP encoding.</summary>
    Value,

    /// <summary>AMQP sequences; the bytes are the AMQP encoding of the sequence sections.</summary>
    Sequence,
}

/// <summary>One event as read from a partition. Immutable; its bytes are owned by the event and never reused.</summary>
public sealed class ReceivedEvent : EventSlot
{
    /// <summary>The partition that the event was read from.</summary>
    public required string PartitionId { get; init; }

    /// <summary>The event's position marker; opaque text.</summary>
    public new required string Offset
    {
        get => base.Offset!;
        init => base.Offset = value;
    }

    /// <summary>When the service appended the event, by the service's clock.</summary>
    public DateTimeOffset EnqueuedTime { get; init; }

    /// <summary>The sender's partition key, or null.</summary>
    public string? PartitionKey
    {
        get => Key;
        init => Key = value;
    }

    /// <summary>The event's body; what the bytes are is said by <see cref="BodyKind"/>.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>What <see cref="Body"/> is.</summary>
    public EventBodyKind BodyKind { get; init; }

    /// <summary>The content type that the sender gave, or null.</summary>
    public string? ContentType { get; init; }

    /// <summary>
    /// The event's application properties in their AMQP encoding (one map value), empty when there are none.
    /// They travel to the sinks as these very bytes, so that no type is lost on the way.
    /// </summary>
    public ReadOnlyMemory<byte> EncodedProperties { get; init; }
}
