using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>States the outcome of a range of deliveries (AMQP 1.0 part 2, 2.7.6).</summary>
public sealed record Disposition : Performative
{
    /// <summary>The role of the sender of this: deliveries that it received, or that it sent.</summary>
    public LinkRole Role { get; init; }

    /// <summary>The first delivery-id of the range.</summary>
    public uint First { get; init; }

    /// <summary>The last delivery-id of the range; <see cref="First"/> when null, and then not written.</summary>
    public uint? Last { get; init; }

    /// <summary>True when the sender of this has settled.</summary>
    public bool Settled { get; init; }

    /// <summary>The state of every delivery of the range.</summary>
    public DeliveryState? State { get; init; }

    /// <summary>True when the sender of this does not need the answer at once.</summary>
    public bool Batchable { get; init; }

    internal override void Encode(ref AmqpWriter writer)
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

    internal static new Disposition Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var disposition = new Disposition
        {
            Role = SettlementFields.Role(reader.NextBool(), "disposition.role"),
            First = AmqpReader.Mandatory(reader.NextUInt(), "disposition.first"),
            Last = reader.NextUInt(),
            Settled = reader.NextFlag(),
            State = DeliveryState.DecodeField(ref reader),
            Batchable = reader.NextFlag(),
        };
        reader.EndFields(mark);
        return disposition;
    }
}
