using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Ends a session (AMQP 1.0 part 2, 2.7.8).</summary>
public sealed record End : Performative
{
    /// <summary>The error. Null when the end is not caused by one.</summary>
    public AmqpError? Error { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.End);
        writer.Field(Error);
        writer.EndComposite(mark);
    }

    internal static new End Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var end = new End { Error = AmqpError.DecodeField(ref reader) };
        reader.EndFields(mark);
        return end;
    }
}
