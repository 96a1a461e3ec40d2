using System.Runtime.CompilerServices;

namespace EventHubThroughput.Amqp;

/// <summary>
/// One of two connected ends in memory: what is written to one is read from the other. Each direction holds 64 KiB. A write beyond that waits until the other
/// end reads.
/// </summary>
internal sealed class DuplexStream : AsyncStream
{
    private readonly Way _in;
    private readonly Way _out;

    private DuplexStream(Way @in, Way @out)
    {
        _in = @in;
        _out = @out;
    }

    public static (DuplexStream Near, DuplexStream Far) CreatePair()
    {
        Way there = new();
        Way back = new();
        return (new DuplexStream(back, there), new DuplexStream(there, back));
    }

    /// <summary>Ends this direction. The other one can still be read.</summary>
    public void CompleteWriting() => _out.EndWriting();

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => _in.ReadAsync(buffer, cancellationToken);

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        _out.WriteAsync(buffer, cancellationToken);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _out.EndWriting();
        _in.EndReading();
        base.Dispose(disposing);
    }

    // One writer and one reader, whose waits are objects that are used again.
    private sealed class Way
    {
        private readonly Lock _gate = new();
        private readonly byte[] _ring = new byte[65_536];
        private readonly AsyncSignal _readable = new();
        private readonly AsyncSignal _writable = new();
        private int _start;
        private int _length;
        private bool _isWritten;
        private bool _isRead;

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
        {
            while (true)
            {
                lock (_gate)
                {
                    ObjectDisposedException.ThrowIf(_isRead, typeof(DuplexStream));
                    if (_length > 0)
                    {
                        return Take(buffer.Span);
                    }

                    if (_isWritten)
                    {
                        return 0;
                    }
                }

                using (SetWhenCancelled(_readable, cancellationToken))
                {
                    await _readable.WaitAsync().ConfigureAwait(false);
                }

                cancellationToken.ThrowIfCancellationRequested();
            }
        }

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
        public async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken)
        {
            while (true)
            {
                lock (_gate)
                {
                    ObjectDisposedException.ThrowIf(_isWritten, typeof(DuplexStream));
                    if (_isRead)
                    {
                        throw new IOException("The other end was closed.");
                    }

                    buffer = buffer[Put(buffer.Span)..];
                    if (buffer.IsEmpty)
                    {
                        return;
                    }
                }

                using (SetWhenCancelled(_writable, cancellationToken))
                {
                    await _writable.WaitAsync().ConfigureAwait(false);
                }

                cancellationToken.ThrowIfCancellationRequested();
            }
        }

        /// <summary>Ends writing: the reader receives what is there, and then the end.</summary>
        public void EndWriting()
        {
            lock (_gate)
            {
                _isWritten = true;
                _readable.Set();
                _writable.Set();
            }
        }

        /// <summary>Ends reading: the writer receives an exception.</summary>
        public void EndReading()
        {
            lock (_gate)
            {
                _isRead = true;
                _readable.Set();
                _writable.Set();
            }
        }

        private int Take(Span<byte> into)
        {
            var taken = 0;
            while (taken < into.Length && _length > 0)
            {
                var part = _ring.AsSpan(_start, Math.Min(_length, _ring.Length - _start));
                part = part[..Math.Min(part.Length, into.Length - taken)];
                part.CopyTo(into[taken..]);
                taken += part.Length;
                _length -= part.Length;
                _start = (_start + part.Length) % _ring.Length;
            }

            _writable.Set();
            return taken;
        }

        private int Put(ReadOnlySpan<byte> from)
        {
            var put = 0;
            while (put < from.Length && _length < _ring.Length)
            {
                var end = (_start + _length) % _ring.Length;
                var free = Math.Min(_ring.Length - _length, _ring.Length - end);
                var part = from.Slice(put, Math.Min(free, from.Length - put));
                part.CopyTo(_ring.AsSpan(end));
                put += part.Length;
                _length += part.Length;
            }

            if (put > 0)
            {
                _readable.Set();
            }

            return put;
        }

        // A signal means that something may have changed, including a cancellation of the wait.
        private static CancellationTokenRegistration SetWhenCancelled(AsyncSignal signal, CancellationToken cancellationToken) =>
            cancellationToken.UnsafeRegister(static given => ((AsyncSignal)given!).Set(), signal);
    }
}
