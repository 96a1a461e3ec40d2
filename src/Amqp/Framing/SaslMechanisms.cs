using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The server's SASL mechanisms (AMQP 1.0 part 5, 5.3.3.1).</summary>
public sealed record SaslMechanisms : Performative
{
    /// <summary>The mechanisms, the preferred one first.</summary>
    public required AmqpSymbol[] Mechanisms { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.SaslMechanisms);
        writer.Field(Mechanisms);
        writer.EndComposite(mark);
    }

    internal static new SaslMechanisms Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var mechanisms = new SaslMechanisms { Mechanisms = AmqpReader.Mandatory(reader.NextSymbols(), "sasl-mechanisms.sasl-server-mechanisms") };
        reader.EndFields(mark);
        return mechanisms;
    }
}
