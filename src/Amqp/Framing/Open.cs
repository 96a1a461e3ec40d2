using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Opens a connection and states what its sender can take (AMQP 1.0 part 2, 2.7.1).</summary>
public sealed record Open : Performative
{
    /// <summary>The name of the container that opens the connection.</summary>
    public required string ContainerId { get; init; }

    /// <summary>The virtual host that is wanted, without port.</summary>
    public string? HostName { get; init; }

    /// <summary>The largest frame that the sender of this frame accepts, in bytes. No limit by default.</summary>
    public uint MaxFrameSize { get; init; } = uint.MaxValue;

    /// <summary>The highest channel number that may be used. 65535 by default.</summary>
    public ushort ChannelMax { get; init; } = ushort.MaxValue;

    /// <summary>The silence in milliseconds after which the sender of this frame ends the connection. None when null or 0.</summary>
    public uint? IdleTimeout { get; init; }

    /// <summary>The locales for texts that the sender of this frame can write.</summary>
    public AmqpSymbol[]? OutgoingLocales { get; init; }

    /// <summary>The locales for texts that the sender of this frame wants to read.</summary>
    public AmqpSymbol[]? IncomingLocales { get; init; }

    /// <summary>The extensions that the sender of this frame supports.</summary>
    public AmqpSymbol[]? OfferedCapabilities { get; init; }

    /// <summary>The extensions that the sender of this frame would use.</summary>
    public AmqpSymbol[]? DesiredCapabilities { get; init; }

    /// <summary>Properties of the connection. The keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Open);
        writer.Field(ContainerId);
        writer.Field(HostName);
        writer.Field(MaxFrameSize == uint.MaxValue ? null : MaxFrameSize);
        writer.Field(ChannelMax == ushort.MaxValue ? null : ChannelMax);
        writer.Field(IdleTimeout);
        writer.Field(OutgoingLocales);
        writer.Field(IncomingLocales);
        writer.Field(OfferedCapabilities);
        writer.Field(DesiredCapabilities);
        writer.Field(Properties);
        writer.EndComposite(mark);
    }

    internal static new Open Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var open = new Open
        {
            ContainerId = AmqpReader.Mandatory(reader.NextString(), "open.container-id"),
            HostName = reader.NextString(),
            MaxFrameSize = reader.NextUInt() ?? uint.MaxValue,
            ChannelMax = reader.NextUShort() ?? ushort.MaxValue,
            IdleTimeout = reader.NextUInt(),
            OutgoingLocales = reader.NextSymbols(),
            IncomingLocales = reader.NextSymbols(),
            OfferedCapabilities = reader.NextSymbols(),
            DesiredCapabilities = reader.NextSymbols(),
            Properties = reader.NextMap(),
        };
        reader.EndFields(mark);
        return open;
    }
}
