namespace EventHubThroughput.Emulator.Laboratory.Faults;

/// <summary>The body of a request or answer with something wrong on its way.</summary>
internal abstract class AlteredBody(Stream inner) : Stream
{
    public override bool CanRead => inner.CanRead;

    public override bool CanWrite => inner.CanWrite;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    protected Stream Inner => inner;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => inner.ReadAsync(buffer, cancellationToken);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public abstract override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    // Both ends are asynchronous here.
    public override void Flush() => throw new NotSupportedException();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}

/// <summary>Ends the connection after so many bytes.</summary>
internal sealed class CutBody(Stream inner, long after, Action reset) : AlteredBody(inner)
{
    private long _left = after;

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var part = (int)Math.Min(_left, buffer.Length);
        await Inner.WriteAsync(buffer[..part], cancellationToken);
        _left -= part;
        if (part < buffer.Length)
        {
            await Inner.FlushAsync(cancellationToken);
            reset();
            throw new OperationCanceledException("A fault cut the answer.");
        }
    }
}

/// <summary>Changes one bit of the first byte.</summary>
internal sealed class CorruptBody(Stream inner) : AlteredBody(inner)
{
    private bool _done;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var read = await Inner.ReadAsync(buffer, cancellationToken);
        if (read > 0 && !_done)
        {
            _done = true;
            buffer.Span[0] ^= 1;
        }

        return read;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (buffer.IsEmpty || _done)
        {
            return Inner.WriteAsync(buffer, cancellationToken);
        }

        _done = true;
        var changed = buffer.ToArray();
        changed[0] ^= 1;
        return Inner.WriteAsync(changed, cancellationToken);
    }
}
