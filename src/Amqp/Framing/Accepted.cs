using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The receiver has the delivery (AMQP 1.0 part 3, 3.4.2).</summary>
public sealed record Accepted : DeliveryState
{
    private Accepted() { }

    /// <summary>The only value: the outcome has no fields.</summary>
    public static Accepted Instance { get; } = new();

    internal override void Encode(ref AmqpWriter writer) => writer.EndComposite(writer.BeginComposite(Descriptor.Accepted));
}
