using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The fields of a <see cref="Disposition"/> as a value, because an object per delivery would be too many.</summary>
internal readonly record struct DispositionHead
{
    public LinkRole Role { get; init; }

    public uint First { get; init; }

    public uint? Last { get; init; }

    public bool Settled { get; init; }

    public DeliveryState? State { get; init; }

    public bool Batchable { get; init; }

    public void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Disposition);
        writer.Field(Role == LinkRole.Receiver);
        writer.Field(First);
        writer.Field(Last);
        writer.Flag(Settled);
        writer.Field(State);
        writer.Flag(Batchable);
        writer.EndComposite(mark);
    }

    public static DispositionHead Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var head = new DispositionHead
        {
            Role = SettlementFields.Role(reader.NextBool(), "disposition.role"),
            First = AmqpReader.Mandatory(reader.NextUInt(), "disposition.first"),
            Last = reader.NextUInt(),
            Settled = reader.NextFlag(),
            State = DeliveryState.DecodeField(ref reader),
            Batchable = reader.NextFlag(),
        };
        reader.EndFields(mark);
        return head;
    }
}
