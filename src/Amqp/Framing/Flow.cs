using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Updates the windows of a session and, with a handle, the credit of a link (AMQP 1.0 part 2, 2.7.4).</summary>
public sealed record Flow : Performative
{
    /// <summary>The next transfer-id that is expected; null until the peer's begin was seen.</summary>
    public uint? NextIncomingId { get; init; }

    /// <summary>How many transfer frames the sender of this takes.</summary>
    public uint IncomingWindow { get; init; }

    /// <summary>The transfer-id of the next transfer frame.</summary>
    public uint NextOutgoingId { get; init; }

    /// <summary>How many transfer frames the sender of this may send.</summary>
    public uint OutgoingWindow { get; init; }

    /// <summary>The link; null when only the session is meant.</summary>
    public uint? Handle { get; init; }

    /// <summary>The link's delivery-count as the sender of this knows it.</summary>
    public uint? DeliveryCount { get; init; }

    /// <summary>How many messages the link's sender may send from <see cref="DeliveryCount"/> on.</summary>
    public uint? LinkCredit { get; init; }

    /// <summary>How many messages the link's sender has waiting.</summary>
    public uint? Available { get; init; }

    /// <summary>Asks the link's sender to use its credit up or give it back; true also in the answer.</summary>
    public bool Drain { get; init; }

    /// <summary>Asks the peer for a flow in return.</summary>
    public bool Echo { get; init; }

    /// <summary>Properties of the link's state; the keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }

    internal override void Encode(ref AmqpWriter writer)
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

    internal static new Flow Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var flow = new Flow
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
        return flow;
    }
}
