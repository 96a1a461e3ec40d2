using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The receiver did not process the delivery. It may be sent again (AMQP 1.0 part 3, 3.4.4).</summary>
public sealed record Released : DeliveryState
{
    private Released() { }

    /// <summary>The only value: the outcome has no fields.</summary>
    public static Released Instance { get; } = new();

    internal override void Encode(ref AmqpWriter writer) => writer.EndComposite(writer.BeginComposite(Descriptor.Released));
}
