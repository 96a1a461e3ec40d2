namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>A stream that keeps the written bytes, and that breaks after a number of bytes in both directions together.</summary>
/// <param name="inner">Where the bytes go.</param>
/// <param name="lifetime">After that number of bytes nothing is transferred any more. The last write or read may be cut short.</param>
internal sealed class WatchedStream(Stream inner, long lifetime = long.MaxValue) : Stream
{
    private readonly Lock gate = new();
    private readonly MemoryStream written = new();
    private long passed;

    public long Passed => Interlocked.Read(ref passed);

    public byte[] Written
    {
        get
        {
            lock (gate)
            {
                return written.ToArray();
            }
        }
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var read = await inner.ReadAsync(buffer, cancellationToken);
        var left = StillPass(read);
        if (left < read)
        {
            await inner.DisposeAsync();
        }

        return left > 0 || read == 0 ? left : throw Cut();
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var left = StillPass(buffer.Length);
        lock (gate)
        {
            written.Write(buffer.Span[..left]);
        }

        await inner.WriteAsync(buffer[..left], cancellationToken);
        if (left < buffer.Length)
        {
            await inner.DisposeAsync();
            throw Cut();
        }
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush() { }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        inner.Dispose();
        base.Dispose(disposing);
    }

    private static IOException Cut() => new("The connection was cut.");

    // How many of these bytes still get through.
    private int StillPass(int count) => (int)Math.Clamp(lifetime - (Interlocked.Add(ref passed, count) - count), 0, count);
}
