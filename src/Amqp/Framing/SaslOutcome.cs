using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>How the SASL exchange ended (AMQP 1.0 part 5, 5.3.3.6).</summary>
public enum SaslCode : byte
{
    /// <summary>Authenticated.</summary>
    Ok = 0,

    /// <summary>The credentials were refused.</summary>
    Auth = 1,

    /// <summary>A system error.</summary>
    System = 2,

    /// <summary>A system error that is permanent.</summary>
    SystemPermanent = 3,

    /// <summary>A system error that may pass.</summary>
    SystemTemporary = 4,
}

/// <summary>The end of the SASL exchange (AMQP 1.0 part 5, 5.3.3.5).</summary>
public sealed record SaslOutcome : Performative
{
    /// <summary>The outcome.</summary>
    public SaslCode Code { get; init; }

    /// <summary>What the mechanism adds to a success.</summary>
    public ReadOnlyMemory<byte>? AdditionalData { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.SaslOutcome);
        writer.Field((byte)Code);
        writer.Field(AdditionalData);
        writer.EndComposite(mark);
    }

    internal static new SaslOutcome Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var outcome = new SaslOutcome { Code = Known(AmqpReader.Mandatory(reader.NextUByte(), "sasl-outcome.code")), AdditionalData = reader.NextBinary() };
        reader.EndFields(mark);
        return outcome;
    }

    private static SaslCode Known(byte code) =>
        code <= (byte)SaslCode.SystemTemporary ? (SaslCode)code : throw AmqpException.Decode($"{code} is not a sasl-code.");
}
