using System.Buffers.Binary;
using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Extracts the content of a <see cref="StructuredBodyFormat">structured body</see> while it arrives, and checks every length and checksum. It buffers no
/// content. For one reader.
/// </summary>
/// <param name="body">The body as it was sent.</param>
/// <param name="bodyLength">Its length. Null if it was not announced.</param>
/// <param name="contentLength">The announced length of the content.</param>
internal sealed class StructuredBodyDecoder(ContentSource body, long? bodyLength, long contentLength)
{
    private readonly byte[] frame = new byte[StructuredBodyFormat.MessageHeaderLength];

    private Crc64 ofSegment = new();
    private Crc64 ofContent = new();
    private ulong messageLength;
    private int segments;
    private int segment;

    // Bytes consumed of the body. Bytes of the content in the segments so far. Unread bytes of the content in this segment.
    private long consumed;
    private long begun;
    private long left;
    private bool hasEnded;

    /// <summary>Reads the next bytes of content. Returns 0 at its end.</summary>
    /// <exception cref="StructuredBodyException">The body does not match the format or its announced lengths.</exception>
    public async ValueTask<int> ReadAsync(Memory<byte> into, CancellationToken cancellationToken)
    {
        while (left == 0 && !hasEnded)
        {
            await ReadFramesAsync(cancellationToken);
        }

        if (left == 0)
        {
            return 0;
        }

        var read = await TakeAsync(into[..(int)Math.Min(into.Length, left)], cancellationToken);
        ofSegment.Append(into.Span[..read]);
        ofContent.Append(into.Span[..read]);
        left -= read;
        return read;
    }

    /// <summary>Checks the end of the body. Call it when all of the content has been read.</summary>
    /// <exception cref="StructuredBodyException">The body does not match the format or its announced lengths.</exception>
    public async ValueTask CompleteAsync(CancellationToken cancellationToken)
    {
        while (left == 0 && !hasEnded)
        {
            await ReadFramesAsync(cancellationToken);
        }

        Check(hasEnded, "it has more content than x-ms-structured-content-length");
    }

    // Reads the frame between two pieces of content: the end of one segment, and the start of the next or the end of the message.
    private async ValueTask ReadFramesAsync(CancellationToken cancellationToken)
    {
        if (segment == 0)
        {
            ReadMessageHeader((await FrameAsync(StructuredBodyFormat.MessageHeaderLength, cancellationToken)).Span);
        }
        else
        {
            CheckChecksum((await FrameAsync(StructuredBodyFormat.ChecksumLength, cancellationToken)).Span, ofSegment);
            ofSegment = new Crc64();
        }

        if (segment < segments)
        {
            ReadSegmentHeader((await FrameAsync(StructuredBodyFormat.SegmentHeaderLength, cancellationToken)).Span);
            return;
        }

        CheckChecksum((await FrameAsync(StructuredBodyFormat.ChecksumLength, cancellationToken)).Span, ofContent);
        Check(begun == contentLength, "it has less content than x-ms-structured-content-length");
        Check(messageLength == (ulong)consumed, "the length in its header is not its length");
        Check(await body(frame.AsMemory(0, 1), cancellationToken) == 0, "bytes follow its end");
        hasEnded = true;
    }

    private void ReadMessageHeader(ReadOnlySpan<byte> bytes)
    {
        (var version, messageLength, var flags, segments) = StructuredBodyFormat.ReadMessageHeader(bytes);
        Check(version == StructuredBodyFormat.Version, $"version {version}, only {StructuredBodyFormat.Version} is supported");
        Check(flags == StructuredBodyFormat.Crc64Flag, $"flags {flags}, only {StructuredBodyFormat.Crc64Flag} (crc64) is supported");
        Check(segments > 0, $"0 segments, allowed are 1 to {StructuredBodyFormat.MostSegments}");
        Check(bodyLength is null || messageLength == (ulong)bodyLength, "the length in its header is not that of Content-Length");
    }

    private void ReadSegmentHeader(ReadOnlySpan<byte> bytes)
    {
        (var number, var length) = StructuredBodyFormat.ReadSegmentHeader(bytes);
        segment++;
        Check(number == segment, $"segment {number} where segment {segment} is expected");
        Check(length <= (ulong)(contentLength - begun), "it has more content than x-ms-structured-content-length");
        left = (long)length;
        begun += left;
    }

    private async ValueTask<ReadOnlyMemory<byte>> FrameAsync(int length, CancellationToken cancellationToken)
    {
        for (var filled = 0; filled < length; )
        {
            filled += await TakeAsync(frame.AsMemory(filled, length - filled), cancellationToken);
        }

        return frame.AsMemory(0, length);
    }

    private async ValueTask<int> TakeAsync(Memory<byte> into, CancellationToken cancellationToken)
    {
        var read = await body(into, cancellationToken);
        Check(read > 0, "it ends too early");
        consumed += read;
        return read;
    }

    private static void CheckChecksum(ReadOnlySpan<byte> bytes, Crc64 computed)
    {
        if (BinaryPrimitives.ReadUInt64LittleEndian(bytes) != computed.Value)
        {
            throw new StructuredBodyException(BlobFailure.Crc64Mismatch);
        }
    }

    private static void Check(bool isRight, string problem)
    {
        if (!isRight)
        {
            throw new StructuredBodyException(BlobFailure.InvalidStructuredBody(problem));
        }
    }
}

/// <summary>A structured body is invalid.</summary>
internal sealed class StructuredBodyException(BlobFailure failure) : Exception(failure.Message)
{
    /// <summary>The answer to the request.</summary>
    public BlobFailure Failure => failure;
}
