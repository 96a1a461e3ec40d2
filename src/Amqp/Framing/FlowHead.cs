using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The fields of a <see cref="Flow"/> as a value, because flows are written and read too often for an object each.</summary>
internal readonly record struct FlowHead
{
    public uint? NextIncomingId { get; init; }

    public uint IncomingWindow { get; init; }

    public uint NextOutgoingId { get; init; }

    public uint OutgoingWindow { get; init; }

    public uint? Handle { get; init; }

    public uint? DeliveryCount { get; init; }

    public uint? LinkCredit { get; init; }

    public uint? Available { get; init; }

    public bool Drain { get; init; }

    public bool Echo { get; init; }

    public AmqpMap? Properties { get; init; }

    public void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Flow);
        writer.Field(NextIncomingId);
        writer.Field(IncomingWindow);
        writer.Field(NextOutgoingId);
        writer.Field(OutgoingWindow);
        writer.Field(Handle);
        writer.Field(DeliveryCount);
        writer.Field(LinkCredit);
        writer.Field(Available);
        writer.Flag(Drain);
        writer.Flag(Echo);
        writer.Field(Properties);
        writer.EndComposite(mark);
    }

    public static FlowHead Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var head = new FlowHead
        {
            NextIncomingId = reader.NextUInt(),
            IncomingWindow = AmqpReader.Mandatory(reader.NextUInt(), "flow.incoming-window"),
            NextOutgoingId = AmqpReader.Mandatory(reader.NextUInt(), "flow.next-outgoing-id"),
            OutgoingWindow = AmqpReader.Mandatory(reader.NextUInt(), "flow.outgoing-window"),
            Handle = reader.NextUInt(),
            DeliveryCount = reader.NextUInt(),
            LinkCredit = reader.NextUInt(),
            Available = reader.NextUInt(),
            Drain = reader.NextFlag(),
            Echo = reader.NextFlag(),
            Properties = reader.NextMap(),
        };
        reader.EndFields(mark);
        return head;
    }
}
