using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The state of a delivery: one of the four outcomes, <see cref="Received"/> (AMQP 1.0 part 3, 3.4), or <see cref="TransactionalState"/>.</summary>
public abstract record DeliveryState : AmqpComposite
{
    internal static DeliveryState? DecodeField(ref AmqpReader reader)
    {
        if (!reader.TryNextDescribed(out var descriptor))
        {
            return null;
        }

        var mark = reader.BeginFields();
        DeliveryState state = descriptor switch
        {
            Descriptor.Accepted => Accepted.Instance,
            Descriptor.Released => Released.Instance,
            Descriptor.Rejected => new Rejected(AmqpError.DecodeField(ref reader)),
            Descriptor.Modified => Modified.DecodeFields(ref reader),
            Descriptor.Received => Received.DecodeFields(ref reader),
            Descriptor.TransactionalState => TransactionalState.DecodeFields(ref reader),
            _ => throw Descriptor.Unexpected(descriptor),
        };
        reader.EndFields(mark);
        return state;
    }
}
