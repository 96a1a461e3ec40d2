using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Begins a session on a channel (AMQP 1.0 part 2, 2.7.2).</summary>
public sealed record Begin : Performative
{
    /// <summary>The peer's channel that this answers. Null from the initiator.</summary>
    public ushort? RemoteChannel { get; init; }

    /// <summary>The transfer-id of the first transfer that the sender of this frame will send.</summary>
    public uint NextOutgoingId { get; init; }

    /// <summary>How many transfer frames the sender of this frame accepts.</summary>
    public uint IncomingWindow { get; init; }

    /// <summary>How many transfer frames the sender of this frame may send.</summary>
    public uint OutgoingWindow { get; init; }

    /// <summary>The highest link handle that may be used. 4294967295 by default.</summary>
    public uint HandleMax { get; init; } = uint.MaxValue;

    /// <summary>The extensions that the sender of this frame supports.</summary>
    public AmqpSymbol[]? OfferedCapabilities { get; init; }

    /// <summary>The extensions that the sender of this frame would use.</summary>
    public AmqpSymbol[]? DesiredCapabilities { get; init; }

    /// <summary>Properties of the session. The keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Begin);
        writer.Field(RemoteChannel);
        writer.Field(NextOutgoingId);
        writer.Field(IncomingWindow);
        writer.Field(OutgoingWindow);
        writer.Field(HandleMax == uint.MaxValue ? null : HandleMax);
        writer.Field(OfferedCapabilities);
        writer.Field(DesiredCapabilities);
        writer.Field(Properties);
        writer.EndComposite(mark);
    }

    internal static new Begin Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var begin = new Begin
        {
            RemoteChannel = reader.NextUShort(),
            NextOutgoingId = AmqpReader.Mandatory(reader.NextUInt(), "begin.next-outgoing-id"),
            IncomingWindow = AmqpReader.Mandatory(reader.NextUInt(), "begin.incoming-window"),
            OutgoingWindow = AmqpReader.Mandatory(reader.NextUInt(), "begin.outgoing-window"),
            HandleMax = reader.NextUInt() ?? uint.MaxValue,
            OfferedCapabilities = reader.NextSymbols(),
            DesiredCapabilities = reader.NextSymbols(),
            Properties = reader.NextMap(),
        };
        reader.EndFields(mark);
        return begin;
    }
}
