using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>What a frame carries: one of the nine performatives of AMQP or the five of SASL.</summary>
public abstract record Performative : AmqpComposite
{
    /// <summary>Decodes descriptor and fields. Bytes after them are ignored.</summary>
    /// <exception cref="AmqpException">The bytes are not a performative (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static Performative Decode(ReadOnlyMemory<byte> encoded)
    {
        var reader = new AmqpReader(encoded);
        return Decode(ref reader);
    }

    internal static Performative Decode(ref AmqpReader reader) => Decode(ref reader, null);

    /// <summary>
    /// As <see cref="Decode(ReadOnlyMemory{byte})"/>. Performatives that come with every message are read into <paramref name="reused"/>, unless that is
    /// null.
    /// </summary>
    internal static Performative Decode(ref AmqpReader reader, ReusedPerformatives? reused)
    {
        var descriptor = reader.ReadDescriptor();
        switch (descriptor)
        {
            case Descriptor.Transfer when reused is not null:
                reused.Transfer.Head = TransferHead.Decode(ref reader);
                return reused.Transfer;
            case Descriptor.Disposition when reused is not null:
                reused.Disposition.Head = DispositionHead.Decode(ref reader);
                return reused.Disposition;
            case Descriptor.Flow when reused is not null:
                reused.Flow.Head = FlowHead.Decode(ref reader);
                return reused.Flow;
        }

        return descriptor switch
        {
            Descriptor.Transfer => Transfer.Decode(ref reader),
            Descriptor.Disposition => Disposition.Decode(ref reader),
            Descriptor.Flow => Flow.Decode(ref reader),
            Descriptor.Open => Open.Decode(ref reader),
            Descriptor.Begin => Begin.Decode(ref reader),
            Descriptor.Attach => Attach.Decode(ref reader),
            Descriptor.Detach => Detach.Decode(ref reader),
            Descriptor.End => End.Decode(ref reader),
            Descriptor.Close => Close.Decode(ref reader),
            Descriptor.SaslMechanisms => SaslMechanisms.Decode(ref reader),
            Descriptor.SaslInit => SaslInit.Decode(ref reader),
            Descriptor.SaslChallenge => SaslChallenge.Decode(ref reader),
            Descriptor.SaslResponse => SaslResponse.Decode(ref reader),
            Descriptor.SaslOutcome => SaslOutcome.Decode(ref reader),
            _ => throw Descriptor.Unexpected(descriptor),
        };
    }
}
