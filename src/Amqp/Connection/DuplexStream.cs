namespace EventHubThroughput.Amqp;

/// <summary>One of two ends in memory: what is written here is read there. Each way holds 64 KiB; who writes more waits until the other end reads.</summary>
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

    /// <summary>Nothing more will be written here; what comes back is still read.</summary>
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

    // One writer and one reader, which never both wait: one would have to find it full and the other empty.
    private sealed class Way
    {
        private readonly Lock _gate = new();
        private readonly byte[] _ring = new byte[65_536];
        private int _start;
        private int _length;
        private bool _isWritten;
        private bool _isRead;
        private TaskCompletionSource? _change;

        public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
        {
            while (true)
            {
                Task change;
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

                    change = NextChange();
                }

                await change.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        public async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken)
        {
            while (true)
            {
                Task change;
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

                    change = NextChange();
                }

                await change.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        /// <summary>Nothing more will be written: the reader is given what is there, and then the end.</summary>
        public void EndWriting()
        {
            lock (_gate)
            {
                _isWritten = true;
                Changed();
            }
        }

        /// <summary>Nothing more will be read: whoever writes is told so.</summary>
        public void EndReading()
        {
            lock (_gate)
            {
                _isRead = true;
                Changed();
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

            Changed();
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

            Changed();
            return put;
        }

        private Task NextChange() => (_change ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

        private void Changed()
        {
            _change?.SetResult();
            _change = null;
        }
    }
}
