using System.Buffers.Binary;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// The structured body, version 1: a header, segments of content that are each followed by their CRC64, and the CRC64 of all content. Integers are
/// little-endian. Source: https://learn.microsoft.com/rest/api/storageservices/structured-body-format.
/// </summary>
internal static class StructuredBodyFormat
{
    /// <summary>The header that names the format, in requests and answers.</summary>
    public const string Header = "x-ms-structured-body";

    /// <summary>The header with the length of the content alone.</summary>
    public const string LengthHeader = "x-ms-structured-content-length";

    /// <summary>The only supported value of <see cref="Header"/>.</summary>
    public const string Kind = "XSM/1.0; properties=crc64";

    public const byte Version = 1;

    /// <summary>The only flag: checksums follow the segments and the message.</summary>
    public const ushort Crc64Flag = 1;

    /// <summary>Version, length of the message, flags, count of segments.</summary>
    public const int MessageHeaderLength = sizeof(byte) + sizeof(ulong) + sizeof(ushort) + sizeof(ushort);

    /// <summary>Number of the segment, from 1, and length of its content.</summary>
    public const int SegmentHeaderLength = sizeof(ushort) + sizeof(ulong);

    public const int ChecksumLength = sizeof(ulong);

    public const int MostSegments = ushort.MaxValue;

    /// <summary>The most bytes of a message in addition to its content.</summary>
    public const long MostOverhead = MessageHeaderLength + (MostSegments * (long)(SegmentHeaderLength + ChecksumLength)) + ChecksumLength;

    public static long MessageLength(long contentLength, int segments) =>
        MessageHeaderLength + contentLength + (segments * (long)(SegmentHeaderLength + ChecksumLength)) + ChecksumLength;

    public static void WriteMessageHeader(Span<byte> into, long messageLength, int segments)
    {
        into[0] = Version;
        BinaryPrimitives.WriteInt64LittleEndian(into[1..], messageLength);
        BinaryPrimitives.WriteUInt16LittleEndian(into[9..], Crc64Flag);
        BinaryPrimitives.WriteUInt16LittleEndian(into[11..], (ushort)segments);
    }

    public static (byte Version, ulong MessageLength, ushort Flags, int Segments) ReadMessageHeader(ReadOnlySpan<byte> from) =>
        (
            from[0],
            BinaryPrimitives.ReadUInt64LittleEndian(from[1..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[9..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[11..])
        );

    public static void WriteSegmentHeader(Span<byte> into, int number, long contentLength)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(into, (ushort)number);
        BinaryPrimitives.WriteInt64LittleEndian(into[2..], contentLength);
    }

    public static (int Number, ulong ContentLength) ReadSegmentHeader(ReadOnlySpan<byte> from) =>
        (BinaryPrimitives.ReadUInt16LittleEndian(from), BinaryPrimitives.ReadUInt64LittleEndian(from[2..]));
}
