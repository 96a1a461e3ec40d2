using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>How much of a delivery has arrived. It is not an outcome (AMQP 1.0 part 3, 3.4.1).</summary>
/// <param name="SectionNumber">The first section that did not arrive whole.</param>
/// <param name="SectionOffset">The first byte of that section that did not arrive.</param>
public sealed record Received(uint SectionNumber, ulong SectionOffset) : DeliveryState
{
    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Received);
        writer.Field(SectionNumber);
        writer.Field(SectionOffset);
        writer.EndComposite(mark);
    }

    internal static Received DecodeFields(ref AmqpReader reader) =>
        new(AmqpReader.Mandatory(reader.NextUInt(), "received.section-number"), AmqpReader.Mandatory(reader.NextULong(), "received.section-offset"));
}
