using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The client's choice of mechanism (AMQP 1.0 part 5, 5.3.3.2).</summary>
public sealed record SaslInit : Performative
{
    /// <summary>The mechanism.</summary>
    public required AmqpSymbol Mechanism { get; init; }

    /// <summary>The mechanism's first message. A secret with PLAIN.</summary>
    public ReadOnlyMemory<byte>? InitialResponse { get; init; }

    /// <summary>The virtual host that is wanted.</summary>
    public string? HostName { get; init; }

    /// <summary>Names the mechanism only, so that no log can show a password.</summary>
    public override string ToString() => $"SaslInit {{ Mechanism = {Mechanism} }}";

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.SaslInit);
        writer.Field(Mechanism);
        writer.Field(InitialResponse);
        writer.Field(HostName);
        writer.EndComposite(mark);
    }

    internal static new SaslInit Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var init = new SaslInit
        {
            Mechanism = AmqpReader.Mandatory(reader.NextSymbol(), "sasl-init.mechanism"),
            InitialResponse = reader.NextBinary(),
            HostName = reader.NextString(),
        };
        reader.EndFields(mark);
        return init;
    }
}
