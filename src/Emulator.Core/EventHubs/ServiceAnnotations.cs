using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>
/// The message annotations of a stored event: those of the service, then other ones of the sender. Encoded directly into the memory of the log, because every
/// event needs them.
/// </summary>
internal static class ServiceAnnotations
{
    // The descriptor and map header, the three names with their longest values, and the name of the key with its length.
    private const int Framing = 112;
    private const int KeyFraming = 26;
    private const int ShortHeader = 3;
    private const int LongHeader = 9;
    private const byte Symbol8 = 0xa3;
    private const byte String8 = 0xa1;
    private const byte String32 = 0xb1;
    private const byte Long = 0x81;
    private const byte Timestamp = 0x83;
    private const byte Map8 = 0xc1;
    private const byte Map32 = 0xd1;

    private static readonly byte[] SequenceNumber = Encoding.ASCII.GetBytes(AmqpNames.SequenceNumber);
    private static readonly byte[] Offset = Encoding.ASCII.GetBytes(AmqpNames.Offset);
    private static readonly byte[] EnqueuedTime = Encoding.ASCII.GetBytes(AmqpNames.EnqueuedTime);
    private static readonly byte[] PartitionKey = Encoding.ASCII.GetBytes(AmqpNames.PartitionKey);

    private static ReadOnlySpan<byte> Descriptor => [0x00, 0x53, 0x72];

    /// <summary>The annotations of the sender without those that the service sets, encoded as entries of a map, and their number.</summary>
    public static (ReadOnlyMemory<byte> Encoded, int Count) Others(AmqpMap? given)
    {
        var count = 0;
        ArrayBufferWriter<byte>? output = null;
        foreach (var (key, value) in given ?? [])
        {
            // The standard requires symbols as keys. A key that arrived as a string must not hide the service's key.
            var symbol = key is string text && Ascii.IsValid(text) ? new AmqpSymbol(text) : key;
            if (symbol is AmqpSymbol { Value: AmqpNames.SequenceNumber or AmqpNames.Offset or AmqpNames.EnqueuedTime or AmqpNames.PartitionKey })
            {
                continue;
            }

            output ??= new ArrayBufferWriter<byte>();
            var writer = new AmqpWriter(output);
            writer.WriteValue(symbol);
            writer.WriteValue(value);
            writer.Flush();
            count++;
        }

        return (output?.WrittenMemory ?? default, count);
    }

    /// <summary>The most bytes that <see cref="Write"/> writes.</summary>
    public static int LargestLength(string? partitionKey, ReadOnlySpan<byte> others) =>
        Framing + others.Length + (partitionKey is null ? 0 : KeyFraming + Encoding.UTF8.GetByteCount(partitionKey));

    /// <summary>Writes the section and returns its length.</summary>
    public static int Write(Span<byte> into, long sequence, long enqueuedMilliseconds, string? partitionKey, ReadOnlySpan<byte> others, int otherCount)
    {
        Descriptor.CopyTo(into);
        var start = Descriptor.Length + ShortHeader;
        var at = WriteNumber(into, WriteName(into, start, SequenceNumber), Long, sequence);
        at = WriteName(into, at, Offset);
        Utf8Formatter.TryFormat(sequence, into[(at + 2)..], out var digits);
        into[at] = String8;
        into[at + 1] = (byte)digits;
        at = WriteNumber(into, WriteName(into, at + 2 + digits, EnqueuedTime), Timestamp, enqueuedMilliseconds);
        if (partitionKey is not null)
        {
            at = WriteText(into, WriteName(into, at, PartitionKey), partitionKey);
        }

        others.CopyTo(into[at..]);
        at += others.Length;
        var body = at - start;
        var elements = 2 * ((partitionKey is null ? 3 : 4) + otherCount);
        var header = into[Descriptor.Length..];
        if (body < byte.MaxValue && elements <= byte.MaxValue)
        {
            header[0] = Map8;
            header[1] = (byte)(body + 1);
            header[2] = (byte)elements;
            return at;
        }

        into.Slice(start, body).CopyTo(into[(start + LongHeader - ShortHeader)..]);
        header[0] = Map32;
        BinaryPrimitives.WriteInt32BigEndian(header[1..], body + sizeof(int));
        BinaryPrimitives.WriteInt32BigEndian(header[5..], elements);
        return at + LongHeader - ShortHeader;
    }

    private static int WriteName(Span<byte> into, int at, ReadOnlySpan<byte> name)
    {
        into[at] = Symbol8;
        into[at + 1] = (byte)name.Length;
        name.CopyTo(into[(at + 2)..]);
        return at + 2 + name.Length;
    }

    private static int WriteNumber(Span<byte> into, int at, byte code, long value)
    {
        into[at] = code;
        BinaryPrimitives.WriteInt64BigEndian(into[(at + 1)..], value);
        return at + 1 + sizeof(long);
    }

    private static int WriteText(Span<byte> into, int at, string text)
    {
        var length = Encoding.UTF8.GetByteCount(text);
        if (length <= byte.MaxValue)
        {
            into[at] = String8;
            into[at + 1] = (byte)length;
            at += 2;
        }
        else
        {
            into[at] = String32;
            BinaryPrimitives.WriteInt32BigEndian(into[(at + 1)..], length);
            at += 1 + sizeof(int);
        }

        return at + Encoding.UTF8.GetBytes(text, into[at..]);
    }
}
