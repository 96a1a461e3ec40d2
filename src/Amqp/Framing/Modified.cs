using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The delivery was not processed and the message is to be changed (AMQP 1.0 part 3, 3.4.5).</summary>
public sealed record Modified : DeliveryState
{
    /// <summary>True to count the attempt as failed.</summary>
    public bool DeliveryFailed { get; init; }

    /// <summary>True when the message is not to be sent on this link again.</summary>
    public bool UndeliverableHere { get; init; }

    /// <summary>Annotations to put on the message.</summary>
    public AmqpMap? MessageAnnotations { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Modified);
        writer.Flag(DeliveryFailed);
        writer.Flag(UndeliverableHere);
        writer.Field(MessageAnnotations);
        writer.EndComposite(mark);
    }

    internal static Modified DecodeFields(ref AmqpReader reader) =>
        new()
        {
            DeliveryFailed = reader.NextFlag(),
            UndeliverableHere = reader.NextFlag(),
            MessageAnnotations = reader.NextMap(),
        };
}
