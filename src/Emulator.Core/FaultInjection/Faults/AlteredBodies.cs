using EventHubThroughput.Emulator.Streams;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>A body that ends its connection after a number of bytes.</summary>
internal sealed class CutBody(Stream inner, long after, Action reset) : AsyncStream(inner)
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

/// <summary>A body with one changed bit in its first byte.</summary>
internal sealed class CorruptBody(Stream inner) : AsyncStream(inner)
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
