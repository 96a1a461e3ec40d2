using System.Globalization;

namespace EventHubThroughput.Verification.Tests;

/// <summary>A file that is made line by line while it is read, so that one of many gigabytes needs no disk.</summary>
internal abstract class GeneratedLines : Stream
{
    private readonly byte[] buffer = new byte[64 * 1024];
    private int start;
    private int end;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> into)
    {
        if (start == end)
        {
            (start, end) = (0, 0);
            while (end < buffer.Length - 4096 && WriteNext()) { }
        }

        var count = Math.Min(into.Length, end - start);
        buffer.AsSpan(start, count).CopyTo(into);
        start += count;
        return count;
    }

    public override int Read(byte[] into, int offset, int count) => Read(into.AsSpan(offset, count));

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] bytes, int offset, int count) => throw new NotSupportedException();

    /// <summary>Where the next line goes.</summary>
    protected Span<byte> Free => buffer.AsSpan(end);

    /// <summary>Any text that names event i only, as long as a SHA-256.</summary>
    protected static string ComputeSha256(long i) => string.Create(CultureInfo.InvariantCulture, $"{i:x16}{~i:x16}{i * 31:x16}{i * 7919:x16}");

    /// <summary>Writes what comes next. False at the end.</summary>
    protected abstract bool WriteNext();

    protected void Advance(int bytes) => end += bytes;
}
