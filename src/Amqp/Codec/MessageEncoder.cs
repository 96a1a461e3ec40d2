using System.Buffers;

namespace EventHubThroughput.Amqp.Codec;

internal static class MessageEncoder
{
    public static void Encode(AmqpMessage message, IBufferWriter<byte> output)
    {
        var writer = new AmqpWriter(output);
        message.Header?.Encode(ref writer);
        WriteMap(ref writer, SectionCode.DeliveryAnnotations, message.DeliveryAnnotations);
        WriteMap(ref writer, SectionCode.MessageAnnotations, message.MessageAnnotations);
        message.Properties?.Encode(ref writer);
        WriteMap(ref writer, SectionCode.ApplicationProperties, message.ApplicationProperties);
        WriteBody(ref writer, message.Body);
        WriteMap(ref writer, SectionCode.Footer, message.Footer);
        writer.Flush();
    }

    private static void WriteMap(ref AmqpWriter writer, SectionCode code, AmqpMap? map)
    {
        if (map is not null)
        {
            writer.WriteDescriptor((ulong)code);
            writer.WriteMap(map);
        }
    }

    private static void WriteBody(ref AmqpWriter writer, in MessageBody body)
    {
        switch (body.Kind)
        {
            case MessageBodyKind.Data:
                foreach (var section in body.Data)
                {
                    writer.WriteDescriptor((ulong)SectionCode.Data);
                    writer.WriteBinary(section.Span);
                }

                break;
            case MessageBodyKind.Sequence:
                foreach (var section in body.Sequences)
                {
                    writer.WriteDescriptor((ulong)SectionCode.Sequence);
                    writer.WriteList(section);
                }

                break;
            case MessageBodyKind.Value:
                writer.WriteDescriptor((ulong)SectionCode.Value);
                writer.WriteValue(body.Value);
                break;
            default:
                break;
        }
    }
}
