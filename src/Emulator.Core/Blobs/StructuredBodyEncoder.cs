using System.Buffers.Binary;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Wraps content into a <see cref="StructuredBodyFormat">structured body</see> while it is read. It buffers no content. For one reader.</summary>
internal sealed class StructuredBodyEncoder
{
    private const long UsualSegmentLength = 4 * 1024 * 1024;

    private readonly ContentSource content;
    private readonly long segmentLength;
    private readonly int segments;

    // The frame between two pieces of content. At most both headers and both checksums, if the content is empty.
    private readonly byte[] frame = new byte[
        StructuredBodyFormat.MessageHeaderLength + StructuredBodyFormat.SegmentHeaderLength + (2 * StructuredBodyFormat.ChecksumLength)
    ];

    private int framed;
    private int sent;

    private Crc64 ofSegment = new();
    private Crc64 ofContent = new();
    private int segment;

    // Bytes of the content after this segment, and in it.
    private long later;
    private long left;

    /// <param name="content">The content.</param>
    /// <param name="contentLength">The length of the content.</param>
    /// <param name="segmentLength">The length of a segment. It is raised if there would be more segments than the format can count.</param>
    public StructuredBodyEncoder(ContentSource content, long contentLength, long segmentLength = UsualSegmentLength)
    {
        this.content = content;
        this.segmentLength = Math.Max(segmentLength, DividedUp(contentLength, StructuredBodyFormat.MostSegments));
        segments = (int)Math.Max(1, DividedUp(contentLength, this.segmentLength));
        later = contentLength;
        Length = StructuredBodyFormat.MessageLength(contentLength, segments);
        StructuredBodyFormat.WriteMessageHeader(NextFrame(StructuredBodyFormat.MessageHeaderLength), Length, segments);
        BeginSegment();
    }

    /// <summary>The length of the whole body.</summary>
    public long Length { get; }

    /// <summary>Reads the next bytes of the body, up to the size of the buffer. Returns 0 at its end.</summary>
    /// <exception cref="EndOfStreamException">There is less content than announced.</exception>
    public async ValueTask<int> ReadAsync(Memory<byte> into, CancellationToken cancellationToken)
    {
        var filled = 0;
        while (filled < into.Length && (sent < framed || left > 0))
        {
            filled += sent < framed ? SendFrame(into.Span[filled..]) : await SendContentAsync(into[filled..], cancellationToken);
        }

        return filled;
    }

    private int SendFrame(Span<byte> into)
    {
        var length = Math.Min(into.Length, framed - sent);
        frame.AsSpan(sent, length).CopyTo(into);
        sent += length;
        return length;
    }

    private async ValueTask<int> SendContentAsync(Memory<byte> into, CancellationToken cancellationToken)
    {
        var read = await content(into[..(int)Math.Min(into.Length, left)], cancellationToken);
        if (read == 0)
        {
            throw new EndOfStreamException("The content is shorter than announced.");
        }

        ofSegment.Append(into.Span[..read]);
        ofContent.Append(into.Span[..read]);
        left -= read;
        if (left == 0)
        {
            (framed, sent) = (0, 0);
            EndSegment();
        }

        return read;
    }

    private void BeginSegment()
    {
        segment++;
        left = Math.Min(segmentLength, later);
        later -= left;
        StructuredBodyFormat.WriteSegmentHeader(NextFrame(StructuredBodyFormat.SegmentHeaderLength), segment, left);
        if (left == 0)
        {
            EndSegment();
        }
    }

    private void EndSegment()
    {
        BinaryPrimitives.WriteUInt64LittleEndian(NextFrame(StructuredBodyFormat.ChecksumLength), ofSegment.Value);
        ofSegment = new Crc64();
        if (segment < segments)
        {
            BeginSegment();
        }
        else
        {
            BinaryPrimitives.WriteUInt64LittleEndian(NextFrame(StructuredBodyFormat.ChecksumLength), ofContent.Value);
        }
    }

    private Span<byte> NextFrame(int length)
    {
        framed += length;
        return frame.AsSpan(framed - length, length);
    }

    private static long DividedUp(long number, long by) => (number + by - 1) / by;
}
