using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Detaches a link, for good or for a while (AMQP 1.0 part 2, 2.7.7).</summary>
public sealed record Detach : Performative
{
    /// <summary>The link.</summary>
    public uint Handle { get; init; }

    /// <summary>True when the link has ended for good.</summary>
    public bool Closed { get; init; }

    /// <summary>The error. Null when the detach is not caused by one.</summary>
    public AmqpError? Error { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Detach);
        writer.Field(Handle);
        writer.Flag(Closed);
        writer.Field(Error);
        writer.EndComposite(mark);
    }

    internal static new Detach Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var detach = new Detach
        {
            Handle = AmqpReader.Mandatory(reader.NextUInt(), "detach.handle"),
            Closed = reader.NextFlag(),
            Error = AmqpError.DecodeField(ref reader),
        };
        reader.EndFields(mark);
        return detach;
    }
}
