using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A delivery that was received completely. Its bytes are a copy.</summary>
public sealed class IncomingDelivery
{
    internal IncomingDelivery(
        AmqpReceiver receiver,
        long arrivedAt,
        uint deliveryId,
        ReadOnlyMemory<byte> tag,
        uint messageFormat,
        bool settled,
        ReadOnlyMemory<byte> payload
    )
    {
        Receiver = receiver;
        ArrivedAt = arrivedAt;
        DeliveryId = deliveryId;
        Tag = tag;
        MessageFormat = messageFormat;
        Settled = settled;
        Payload = payload;
    }

    /// <summary>The link.</summary>
    public AmqpReceiver Receiver { get; }

    /// <summary>When its first frame was read from the socket, by the raw timestamp of the connection's clock.</summary>
    public long ArrivedAt { get; }

    /// <summary>The delivery's number in its session.</summary>
    public uint DeliveryId { get; }

    /// <summary>The sender's name for it.</summary>
    public ReadOnlyMemory<byte> Tag { get; }

    /// <summary>The message's format. 0 is AMQP's own.</summary>
    public uint MessageFormat { get; }

    /// <summary>Whether the sender had settled it: it expects no outcome.</summary>
    public bool Settled { get; }

    /// <summary>The sender's state of the delivery. Nearly always null.</summary>
    public DeliveryState? State { get; internal init; }

    /// <summary>The encoded message.</summary>
    public ReadOnlyMemory<byte> Payload { get; }

    /// <summary>Completed by the sender's disposition, while a two-phase settlement is under way.</summary>
    internal TaskCompletionSource<DeliveryState?>? Settlement { get; set; }
}
