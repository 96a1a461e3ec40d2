namespace EventHubThroughput.CommandLine;

/// <summary>Writes to a stream that may be full or closed.</summary>
/// <param name="inner">The stream.</param>
/// <param name="failed">Creates the exception to throw after a failed write. If null, the text is dropped.</param>
internal sealed class GuardedStream(Stream inner, Func<Exception, Exception>? failed) : Stream
{
    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            inner.Write(buffer);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException or ObjectDisposedException)
        {
            // The runtime throws the third of these for a limit on the size of files.
            if (failed is not null)
            {
                throw failed(exception);
            }
        }
    }

    public override void Flush()
    {
        // There is no buffer to flush.
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
