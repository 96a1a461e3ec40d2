using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Carries a delivery, or a part of it, over a link. The payload follows in the frame (AMQP 1.0 part 2, 2.7.5).</summary>
public sealed record Transfer : Performative
{
    /// <summary>The longest delivery-tag that the protocol allows, in bytes.</summary>
    public const int MaxTagLength = 32;

    /// <summary>The link.</summary>
    public uint Handle
    {
        get => Head.Handle;
        init => Head = Head with { Handle = value };
    }

    /// <summary>The delivery's number within the session. May be left out on all but the first frame.</summary>
    public uint? DeliveryId
    {
        get => Head.DeliveryId;
        init => Head = Head with { DeliveryId = value };
    }

    /// <summary>The delivery's name on the link, at most 32 bytes. May be left out on all but the first frame.</summary>
    public ReadOnlyMemory<byte>? DeliveryTag
    {
        get => Head.DeliveryTag;
        init => Head = Head with { DeliveryTag = value };
    }

    /// <summary>The message's format. May be left out on all but the first frame.</summary>
    public uint? MessageFormat
    {
        get => Head.MessageFormat;
        init => Head = Head with { MessageFormat = value };
    }

    /// <summary>True when the sender wants no outcome.</summary>
    public bool Settled
    {
        get => Head.Settled;
        init => Head = Head with { Settled = value };
    }

    /// <summary>True when further frames of this delivery follow.</summary>
    public bool More
    {
        get => Head.More;
        init => Head = Head with { More = value };
    }

    /// <summary>When the receiver settles this delivery. As the link was attached when null.</summary>
    public ReceiverSettleMode? RcvSettleMode
    {
        get => Head.RcvSettleMode;
        init => Head = Head with { RcvSettleMode = value };
    }

    /// <summary>The sender's state of the delivery.</summary>
    public DeliveryState? State
    {
        get => Head.State;
        init => Head = Head with { State = value };
    }

    /// <summary>True when an earlier delivery is resumed.</summary>
    public bool Resume
    {
        get => Head.Resume;
        init => Head = Head with { Resume = value };
    }

    /// <summary>True when the delivery is given up. Its frames so far are to be dropped.</summary>
    public bool Aborted
    {
        get => Head.Aborted;
        init => Head = Head with { Aborted = value };
    }

    /// <summary>True when the sender does not need the outcome immediately.</summary>
    public bool Batchable
    {
        get => Head.Batchable;
        init => Head = Head with { Batchable = value };
    }

    /// <summary>The fields. Only the one transfer that a read loop uses again sets them more than once.</summary>
    internal TransferHead Head { get; set; }

    internal override void Encode(ref AmqpWriter writer) => Head.Encode(ref writer);

    internal static new Transfer Decode(ref AmqpReader reader) => new() { Head = TransferHead.Decode(ref reader) };
}
