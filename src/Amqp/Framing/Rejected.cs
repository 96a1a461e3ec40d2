using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The delivery is not acceptable (AMQP 1.0 part 3, 3.4.3).</summary>
/// <param name="Error">The reason, if the peer has sent one.</param>
public sealed record Rejected(AmqpError? Error) : DeliveryState
{
    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Rejected);
        writer.Field(Error);
        writer.EndComposite(mark);
    }
}
