using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The fields of a <see cref="Transfer"/> as a value, because an object per message would be too many.</summary>
internal readonly record struct TransferHead
{
    public uint Handle { get; init; }

    public uint? DeliveryId { get; init; }

    public ReadOnlyMemory<byte>? DeliveryTag { get; init; }

    public uint? MessageFormat { get; init; }

    public bool Settled { get; init; }

    public bool More { get; init; }

    public ReceiverSettleMode? RcvSettleMode { get; init; }

    public DeliveryState? State { get; init; }

    public bool Resume { get; init; }

    public bool Aborted { get; init; }

    public bool Batchable { get; init; }

    public void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Transfer);
        writer.Field(Handle);
        writer.Field(DeliveryId);
        writer.Field(DeliveryTag);
        writer.Field(MessageFormat);
        writer.Flag(Settled);
        writer.Flag(More);
        writer.Field((byte?)RcvSettleMode);
        writer.Field(State);
        writer.Flag(Resume);
        writer.Flag(Aborted);
        writer.Flag(Batchable);
        writer.EndComposite(mark);
    }

    public static TransferHead Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var head = new TransferHead
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
        return head;
    }

    private static ReadOnlyMemory<byte>? Tag(ReadOnlyMemory<byte>? tag) =>
        tag is { Length: > Transfer.MaxTagLength }
            ? throw AmqpException.Decode($"A delivery-tag of {tag.Value.Length} bytes is longer than {Transfer.MaxTagLength}.")
            : tag;
}
