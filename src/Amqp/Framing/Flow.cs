using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Updates the windows of a session and, with a handle, the credit of a link (AMQP 1.0 part 2, 2.7.4).</summary>
public sealed record Flow : Performative
{
    /// <summary>The next transfer-id that is expected. Null until the peer's begin was seen.</summary>
    public uint? NextIncomingId
    {
        get => Head.NextIncomingId;
        init => Head = Head with { NextIncomingId = value };
    }

    /// <summary>How many transfer frames the sender of this frame accepts.</summary>
    public uint IncomingWindow
    {
        get => Head.IncomingWindow;
        init => Head = Head with { IncomingWindow = value };
    }

    /// <summary>The transfer-id of the next transfer frame.</summary>
    public uint NextOutgoingId
    {
        get => Head.NextOutgoingId;
        init => Head = Head with { NextOutgoingId = value };
    }

    /// <summary>How many transfer frames the sender of this frame may send.</summary>
    public uint OutgoingWindow
    {
        get => Head.OutgoingWindow;
        init => Head = Head with { OutgoingWindow = value };
    }

    /// <summary>The link. Null when the flow is only for the session.</summary>
    public uint? Handle
    {
        get => Head.Handle;
        init => Head = Head with { Handle = value };
    }

    /// <summary>The link's delivery-count as seen by the sender of this frame.</summary>
    public uint? DeliveryCount
    {
        get => Head.DeliveryCount;
        init => Head = Head with { DeliveryCount = value };
    }

    /// <summary>How many messages the link's sender may send from <see cref="DeliveryCount"/> on.</summary>
    public uint? LinkCredit
    {
        get => Head.LinkCredit;
        init => Head = Head with { LinkCredit = value };
    }

    /// <summary>How many messages the link's sender has waiting.</summary>
    public uint? Available
    {
        get => Head.Available;
        init => Head = Head with { Available = value };
    }

    /// <summary>Asks the link's sender to use its credit up or give it back. True also in the answer.</summary>
    public bool Drain
    {
        get => Head.Drain;
        init => Head = Head with { Drain = value };
    }

    /// <summary>Asks the peer for a flow in return.</summary>
    public bool Echo
    {
        get => Head.Echo;
        init => Head = Head with { Echo = value };
    }

    /// <summary>Properties of the link's state. The keys are symbols.</summary>
    public AmqpMap? Properties
    {
        get => Head.Properties;
        init => Head = Head with { Properties = value };
    }

    /// <summary>The fields. Only the one flow that a read loop uses again sets them more than once.</summary>
    internal FlowHead Head { get; set; }

    internal override void Encode(ref AmqpWriter writer) => Head.Encode(ref writer);

    internal static new Flow Decode(ref AmqpReader reader) => new() { Head = FlowHead.Decode(ref reader) };
}
