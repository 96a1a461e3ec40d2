namespace EventHubThroughput.Amqp;

/// <summary>A delivery that was received whole.</summary>
public sealed class IncomingDelivery
{
    internal IncomingDelivery(AmqpReceiver receiver) => Receiver = receiver;

    /// <summary>The link that it came on.</summary>
    public AmqpReceiver Receiver { get; }

    /// <summary>The delivery's number within its session and direction.</summary>
    public uint DeliveryId { get; internal init; }

    /// <summary>The delivery-tag.</summary>
    public ReadOnlyMemory<byte> Tag { get; internal init; }

    /// <summary>The message's format; 0 is a plain AMQP message.</summary>
    public uint MessageFormat { get; internal init; }

    /// <summary>True when the sender wants no outcome, or either side has settled.</summary>
    public bool Settled { get; internal set; }

    /// <summary>The encoded message; owned by the delivery and never re-used.</summary>
    public ReadOnlyMemory<byte> Payload { get; internal set; }
}
