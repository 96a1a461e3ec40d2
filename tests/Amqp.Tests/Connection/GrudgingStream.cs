using System.Threading.Channels;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>A socket whose peer accepts one write at a time, when the test allows it.</summary>
internal sealed class GrudgingStream : Stream
{
    private readonly Channel<int> writes = Channel.CreateUnbounded<int>();
    private readonly SemaphoreSlim taken = new(0);

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Called by the writer.</summary>
    public Action? Writing { get; set; }

    public bool TryNextWrite(out int length) => writes.Reader.TryRead(out length);

    public ValueTask<int> NextWriteAsync(CancellationToken cancellationToken) => writes.Reader.ReadAsync(cancellationToken);

    public void Take() => taken.Release();

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Writing?.Invoke();
        writes.Writer.TryWrite(buffer.Length);
        await taken.WaitAsync(cancellationToken);
    }

    public override void Flush() { }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        taken.Dispose();
        base.Dispose(disposing);
    }
}
