using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Attaches a link to a session (AMQP 1.0 part 2, 2.7.3).</summary>
public sealed record Attach : Performative
{
    /// <summary>The link's name. Name and role together identify the link that an answer belongs to.</summary>
    public required string Name { get; init; }

    /// <summary>The number by which the sender of this frame will refer to the link.</summary>
    public uint Handle { get; init; }

    /// <summary>The role of the sender of this frame.</summary>
    public LinkRole Role { get; init; }

    /// <summary>How the sender settles. Mixed when null.</summary>
    public SenderSettleMode? SndSettleMode { get; init; }

    /// <summary>When the receiver settles. First when null.</summary>
    public ReceiverSettleMode? RcvSettleMode { get; init; }

    /// <summary>Where messages come from. Null in the answer that refuses a link.</summary>
    public Source? Source { get; init; }

    /// <summary>Where messages go to. Null in the answer that refuses a link.</summary>
    public Target? Target { get; init; }

    /// <summary>Unsettled deliveries of a link that is resumed: delivery-tag to state.</summary>
    public AmqpMap? Unsettled { get; init; }

    /// <summary>True when <see cref="Unsettled"/> is not all of them.</summary>
    public bool IncompleteUnsettled { get; init; }

    /// <summary>The sender's delivery-count. Mandatory from the sender by the specification, yet some leave it out.</summary>
    public uint? InitialDeliveryCount { get; init; }

    /// <summary>The largest message that the sender of this frame accepts, in bytes. No limit when null or 0.</summary>
    public ulong? MaxMessageSize { get; init; }

    /// <summary>The extensions that the sender of this frame supports.</summary>
    public AmqpSymbol[]? OfferedCapabilities { get; init; }

    /// <summary>The extensions that the sender of this frame would use.</summary>
    public AmqpSymbol[]? DesiredCapabilities { get; init; }

    /// <summary>Properties of the link. The keys are symbols.</summary>
    public AmqpMap? Properties { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Attach);
        writer.Field(Name);
        writer.Field(Handle);
        writer.Field(Role == LinkRole.Receiver);
        writer.Field((byte?)SndSettleMode);
        writer.Field((byte?)RcvSettleMode);
        writer.Field(Source);
        writer.Field(Target);
        writer.Field(Unsettled);
        writer.Flag(IncompleteUnsettled);
        writer.Field(InitialDeliveryCount);
        writer.Field(MaxMessageSize);
        writer.Field(OfferedCapabilities);
        writer.Field(DesiredCapabilities);
        writer.Field(Properties);
        writer.EndComposite(mark);
    }

    internal static new Attach Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var attach = new Attach
        {
            Name = AmqpReader.Mandatory(reader.NextString(), "attach.name"),
            Handle = AmqpReader.Mandatory(reader.NextUInt(), "attach.handle"),
            Role = SettlementFields.Role(reader.NextBool(), "attach.role"),
            SndSettleMode = SettlementFields.Sender(reader.NextUByte()),
            RcvSettleMode = SettlementFields.Receiver(reader.NextUByte()),
            Source = Source.DecodeField(ref reader),
            Target = Target.DecodeField(ref reader),
            Unsettled = reader.NextMap(),
            IncompleteUnsettled = reader.NextFlag(),
            InitialDeliveryCount = reader.NextUInt(),
            MaxMessageSize = reader.NextULong(),
            OfferedCapabilities = reader.NextSymbols(),
            DesiredCapabilities = reader.NextSymbols(),
            Properties = reader.NextMap(),
        };
        reader.EndFields(mark);
        return attach;
    }
}
