using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The client's answer to a challenge (AMQP 1.0 part 5, 5.3.3.4).</summary>
public sealed record SaslResponse : Performative
{
    /// <summary>The data of the mechanism.</summary>
    public ReadOnlyMemory<byte> Response { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.SaslResponse);
        writer.Field(Response);
        writer.EndComposite(mark);
    }

    internal static new SaslResponse Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var response = new SaslResponse { Response = AmqpReader.Mandatory(reader.NextBinary(), "sasl-response.response") };
        reader.EndFields(mark);
        return response;
    }
}
