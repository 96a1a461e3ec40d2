using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>States the outcome of a range of deliveries (AMQP 1.0 part 2, 2.7.6).</summary>
public sealed record Disposition : Performative
{
    /// <summary>The role of the sender of this frame: deliveries that it received, or that it sent.</summary>
    public LinkRole Role
    {
        get => Head.Role;
        init => Head = Head with { Role = value };
    }

    /// <summary>The first delivery-id of the range.</summary>
    public uint First
    {
        get => Head.First;
        init => Head = Head with { First = value };
    }

    /// <summary>The last delivery-id of the range. <see cref="First"/> when null, and then not written.</summary>
    public uint? Last
    {
        get => Head.Last;
        init => Head = Head with { Last = value };
    }

    /// <summary>True when the sender of this frame has settled.</summary>
    public bool Settled
    {
        get => Head.Settled;
        init => Head = Head with { Settled = value };
    }

    /// <summary>The state of every delivery of the range.</summary>
    public DeliveryState? State
    {
        get => Head.State;
        init => Head = Head with { State = value };
    }

    /// <summary>True when the sender of this frame does not need the answer immediately.</summary>
    public bool Batchable
    {
        get => Head.Batchable;
        init => Head = Head with { Batchable = value };
    }

    /// <summary>The fields. Only the one disposition that a read loop uses again sets them more than once.</summary>
    internal DispositionHead Head { get; set; }

    internal override void Encode(ref AmqpWriter writer) => Head.Encode(ref writer);

    internal static new Disposition Decode(ref AmqpReader reader) => new() { Head = DispositionHead.Decode(ref reader) };
}
