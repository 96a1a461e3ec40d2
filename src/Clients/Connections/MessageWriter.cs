using System.Buffers;
using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Encodes the sections that outgoing events and messages share.</summary>
internal static class MessageWriter
{
    private const byte Described = 0x00;
    private const byte SmallULong = 0x53;
    private const byte Binary8 = 0xa0;
    private const byte Binary32 = 0xb0;

    // The header of a data section, in the long form and in the short one.
    private const int LongDataHeader = 8;
    private const int ShortDataHeader = 5;

    // The fields of the properties section, by position (AMQP 1.0 part 3, 3.2.4).
    private const int PropertiesFields = 13;
    private const int MessageIdField = 0;
    private const int ContentTypeField = 6;

    /// <summary>Writes the annotations section with a partition key. Writes nothing without a key.</summary>
    public static void WritePartitionKey(IBufferWriter<byte> output, string? partitionKey)
    {
        if (partitionKey is null)
        {
            return;
        }

        var writer = new AmqpWriter(output);
        writer.WriteDescriptor((ulong)SectionCode.MessageAnnotations);
        var map = writer.BeginMap();
        writer.WriteSymbol(AmqpNames.PartitionKey);
        writer.WriteString(partitionKey);
        writer.EndMap(map, 1);
        writer.Flush();
    }

    /// <summary>Writes the properties section. Writes nothing without properties.</summary>
    public static void WriteProperties(IBufferWriter<byte> output, string? messageId, string? contentType)
    {
        if (messageId is null && contentType is null)
        {
            return;
        }

        var writer = new AmqpWriter(output);
        writer.WriteDescriptor((ulong)SectionCode.Properties);
        var fields = writer.BeginList();
        for (var field = 0; field < PropertiesFields; field++)
        {
            switch (field)
            {
                case MessageIdField when messageId is not null:
                    writer.WriteString(messageId);
                    break;
                case ContentTypeField when contentType is not null:
                    writer.WriteSymbol(contentType);
                    break;
                default:
                    writer.WriteNull();
                    break;
            }
        }

        writer.EndList(fields, PropertiesFields);
        writer.Flush();
    }

    /// <summary>Writes the application properties as the bytes of an encoded map. Writes nothing for an empty one.</summary>
    public static void WriteEncodedProperties(IBufferWriter<byte> output, ReadOnlyMemory<byte> encodedMap)
    {
        if (!encodedMap.IsEmpty)
        {
            WriteDescriptor(output, SectionCode.ApplicationProperties);
            output.Write(encodedMap.Span);
        }
    }

    /// <summary>Writes the body. Bytes of kinds Value and Sequence are AMQP encodings already.</summary>
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

    /// <summary>Writes the header of a data section.</summary>
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

    /// <summary>Reserves space for the header of a data section of unknown length.</summary>
    public static void ReserveDataHeader(RentedBuffer output)
    {
        output.GetSpan(LongDataHeader);
        output.Advance(LongDataHeader);
    }

    /// <summary>Writes the header of a data section whose bytes follow the reserved space.</summary>
    public static void FillDataHeader(RentedBuffer output, int start)
    {
        var section = output.Patch(start);
        var length = section.Length - LongDataHeader;
        (section[0], section[1], section[2]) = (Described, SmallULong, (byte)SectionCode.Data);
        if (length > byte.MaxValue)
        {
            section[3] = Binary32;
            BinaryPrimitives.WriteInt32BigEndian(section[4..], length);
            return;
        }

        (section[3], section[4]) = (Binary8, (byte)length);
        section[LongDataHeader..].CopyTo(section[ShortDataHeader..]);
        output.Truncate(start + ShortDataHeader + length);
    }

    /// <summary>The length of a data section with this number of bytes.</summary>
    public static int DataSectionLength(int length) => (length <= byte.MaxValue ? ShortDataHeader : LongDataHeader) + length;

    private static void WriteDescriptor(IBufferWriter<byte> output, SectionCode code)
    {
        var span = output.GetSpan(3);
        span[0] = Described;
        span[1] = SmallULong;
        span[2] = (byte)code;
        output.Advance(3);
    }
}
