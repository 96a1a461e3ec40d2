using System.Buffers;
using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Encodes the sections that outgoing events and messages have in common.</summary>
internal static class MessageWriter
{
    private const byte Described = 0x00;
    private const byte SmallULong = 0x53;
    private const byte Binary8 = 0xa0;
    private const byte Binary32 = 0xb0;

    /// <summary>The annotations section that names a partition key; nothing without a key.</summary>
    public static void WritePartitionKey(IBufferWriter<byte> output, string? partitionKey)
    {
        if (partitionKey is not null)
        {
            new AmqpMessage { MessageAnnotations = new AmqpMap { { new AmqpSymbol(AmqpNames.PartitionKey), partitionKey } } }.Encode(output);
        }
    }

    /// <summary>The properties section; nothing without any.</summary>
    public static void WriteProperties(IBufferWriter<byte> output, string? messageId, string? contentType)
    {
        if (messageId is not null || contentType is not null)
        {
            new AmqpMessage
            {
                Properties = new MessageProperties { MessageId = messageId, ContentType = contentType },
            }.Encode(output);
        }
    }

    /// <summary>The application properties as the very bytes of an encoded map; nothing for none.</summary>
    public static void WriteEncodedProperties(IBufferWriter<byte> output, ReadOnlyMemory<byte> encodedMap)
    {
        if (!encodedMap.IsEmpty)
        {
            WriteDescriptor(output, SectionCode.ApplicationProperties);
            output.Write(encodedMap.Span);
        }
    }

    /// <summary>The body; bytes of kinds Value and Sequence are AMQP encodings already.</summary>
    public static void WriteBody(IBufferWriter<byte> output, EventBodyKind kind, ReadOnlyMemory<byte> body)
    {
        switch (kind)
        {
            case EventBodyKind.Value:
                WriteDescriptor(output, SectionCode.Value);
                output.Write(body.Span);
                break;
            case EventBodyKind.Sequence:
                output.Write(body.Span);
                break;
            default:
                WriteDataHeader(output, body.Length);
                output.Write(body.Span);
                break;
        }
    }

    /// <summary>What precedes the bytes of a data section.</summary>
    public static void WriteDataHeader(IBufferWriter<byte> output, int length)
    {
        WriteDescriptor(output, SectionCode.Data);
        if (length <= byte.MaxValue)
        {
            var span = output.GetSpan(2);
            span[0] = Binary8;
            span[1] = (byte)length;
            output.Advance(2);
        }
        else
        {
            var span = output.GetSpan(5);
            span[0] = Binary32;
            BinaryPrimitives.WriteInt32BigEndian(span[1..], length);
            output.Advance(5);
        }
    }

    /// <summary>How long the data section of so many bytes is.</summary>
    public static int DataSectionLength(int length) => 3 + (length <= byte.MaxValue ? 2 : 5) + length;

    private static void WriteDescriptor(IBufferWriter<byte> output, SectionCode code)
    {
        var span = output.GetSpan(3);
        span[0] = Described;
        span[1] = SmallULong;
        span[2] = (byte)code;
        output.Advance(3);
    }
}
