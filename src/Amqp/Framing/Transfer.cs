using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Carries a delivery, or a part of it, over a link; the payload follows in the frame (AMQP 1.0 part 2, 2.7.5).</summary>
public sealed record Transfer : Performative
{
    /// <summary>The longest delivery-tag that the protocol allows, in bytes.</summary>
    public const int MaxTagLength = 32;

    /// <summary>The link.</summary>
    public uint Handle { get; init; }

    /// <summary>The delivery's number within the session; may be left out on all but the first frame.</summary>
    public uint? DeliveryId { get; init; }

    /// <summary>The delivery's name on the link, at most 32 bytes; may be left out on all but the first frame.</summary>
    public ReadOnlyMemory<byte>? DeliveryTag { get; init; }

    /// <summary>The message's format; may be left out on all but the first frame.</summary>
    public uint? MessageFormat { get; init; }

    /// <summary>True when the sender wants no outcome.</summary>
    public bool Settled { get; init; }

    /// <summary>True when further frames of this delivery follow.</summary>
    public bool More { get; init; }

    /// <summary>When the receiver settles this delivery; as the link was attached when null.</summary>
    public ReceiverSettleMode? RcvSettleMode { get; init; }

    /// <summary>The sender's state of the delivery.</summary>
    public DeliveryState? State { get; init; }

    /// <summary>True when an earlier delivery is resumed.</summary>
    public bool Resume { get; init; }

    /// <summary>True when the delivery is given up; its frames so far are to be dropped.</summary>
    public bool Aborted { get; init; }

    /// <summary>True when the sender does not need the outcome at once.</summary>
    public bool Batchable { get; init; }

    internal TransferHead Head =>
        new()
        {
            Handle = Handle,
            DeliveryId = DeliveryId,
            DeliveryTag = DeliveryTag,
            MessageFormat = MessageFormat,
            Settled = Settled,
            More = More,
            RcvSettleMode = RcvSettleMode,
            State = State,
            Resume = Resume,
            Aborted = Aborted,
            Batchable = Batchable,
        };

    internal override void Encode(ref AmqpWriter writer) => Head.Encode(ref writer);

    internal static new Transfer Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var transfer = new Transfer
        {
            Handle = AmqpReader.Mandatory(reader.NextUInt(), "transfer.handle"),
            DeliveryId = reader.NextUInt(),
            DeliveryTag = Tag(reader.NextBinary()),
            MessageFormat = reader.NextUInt(),
            Settled = reader.NextFlag(),
            More = reader.NextFlag(),
            RcvSettleMode = SettlementFields.Receiver(reader.NextUByte()),
            State = DeliveryState.DecodeField(ref reader),
            Resume = reader.NextFlag(),
            Aborted = reader.NextFlag(),
            Batchable = reader.NextFlag(),
        };
        reader.EndFields(mark);
        return transfer;
    }

    private static ReadOnlyMemory<byte>? Tag(ReadOnlyMemory<byte>? tag) =>
        tag is { Length: > MaxTagLength } ? throw AmqpException.Decode($"A delivery-tag of {tag.Value.Length} bytes is longer than {MaxTagLength}.") : tag;
}
