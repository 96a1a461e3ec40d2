using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Closes a connection (AMQP 1.0 part 2, 2.7.9).</summary>
public sealed record Close : Performative
{
    /// <summary>The error. Null when the close is not caused by one.</summary>
    public AmqpError? Error { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Close);
        writer.Field(Error);
        writer.EndComposite(mark);
    }

    internal static new Close Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var close = new Close { Error = AmqpError.DecodeField(ref reader) };
        reader.EndFields(mark);
        return close;
    }
}
