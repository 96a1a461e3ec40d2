using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The server's challenge (AMQP 1.0 part 5, 5.3.3.3).</summary>
public sealed record SaslChallenge : Performative
{
    /// <summary>The data of the mechanism.</summary>
    public ReadOnlyMemory<byte> Challenge { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.SaslChallenge);
        writer.Field(Challenge);
        writer.EndComposite(mark);
    }

    internal static new SaslChallenge Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var challenge = new SaslChallenge { Challenge = AmqpReader.Mandatory(reader.NextBinary(), "sasl-challenge.challenge") };
        reader.EndFields(mark);
        return challenge;
    }
}
