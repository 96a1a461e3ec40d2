using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Frames on their way to the socket. Writers encode into one buffer under the connection's lock; one loop swaps buffers and writes,
/// so that whatever has gathered while a write was under way goes out as one.
/// </summary>
internal sealed class OutputQueue(Stream stream, Lock gate, ConnectionSettings settings, Action roomAgain) : IDisposable
{
    private readonly AsyncSignal _more = new();

    // Guarded by the connection's lock.
    private FrameBuffer _gathering = new();
    private bool _closed;
    private bool _wasFull;

    // The write loop's alone.
    private FrameBuffer _writing = new();
    private CancellationTokenSource _stalled = new(Timeout.InfiniteTimeSpan, settings.TimeProvider);

    private long _lastWrite = settings.TimeProvider.GetTimestamp();

    /// <summary>The peer's limit for our frames; 512 until its open was seen.</summary>
    public uint MaxFrameSize { get; set; } = FrameReader.MinMaxFrameSize;

    /// <summary>Whether writers of payload are to wait. To be asked under the lock.</summary>
    public bool IsFull
    {
        get
        {
            bool full = _gathering.Length > settings.WriteQueueLimit;
            _wasFull |= full;
            return full;
        }
    }

    /// <summary>
    /// Whether answers alone have filled the queue far beyond what payload may: then nothing more is read, so that a peer that asks and
    /// never takes meets the limit too. To be asked under the lock.
    /// </summary>
    public bool IsFlooded => IsFull && _gathering.Length > 2L * settings.WriteQueueLimit;

    /// <summary>Where to encode; under the lock, followed by <see cref="Commit"/>.</summary>
    public FrameBuffer Buffer => _gathering;

    /// <summary>How long nothing has been written.</summary>
    public TimeSpan Silence => settings.TimeProvider.GetElapsedTime(Volatile.Read(ref _lastWrite));

    /// <summary>Lets the loop write what was encoded; under the lock.</summary>
    public void Commit() => _more.Set();

    /// <summary>Nothing more will be encoded: the loop ends when all is written. Under the lock.</summary>
    public void Complete()
    {
        _closed = true;
        _more.Set();
    }

    /// <summary>Writes until completed; throws when the stream is closed or the peer takes nothing.</summary>
    public async Task RunAsync()
    {
        while (true)
        {
            await _more.WaitAsync().ConfigureAwait(false);
            while (Swap(out bool closed))
            {
                await WriteAsync().ConfigureAwait(false);
                if (closed)
                {
                    break;
                }
            }

            lock (gate)
            {
                if (_closed && _gathering.Length == 0)
                {
                    return;
                }
            }
        }
    }

    /// <summary>Releases the time-out; after the loop has ended.</summary>
    public void Dispose() => _stalled.Dispose();

    private bool Swap(out bool closed)
    {
        bool notify;
        lock (gate)
        {
            closed = _closed;
            if (_gathering.Length == 0)
            {
                return false;
            }

            (_gathering, _writing) = (_writing, _gathering);
            notify = _wasFull;
            _wasFull = false;
        }

        if (notify)
        {
            roomAgain();
        }

        return true;
    }

    private async Task WriteAsync()
    {
        // One source serves all writes: nearly every write ends at once and gives it back.
        if (!_stalled.TryReset())
        {
            _stalled.Dispose();
            _stalled = new CancellationTokenSource(Timeout.InfiniteTimeSpan, settings.TimeProvider);
        }

        _stalled.CancelAfter(settings.StalledPeerTimeout);
        try
        {
            await stream.WriteAsync(_writing.Written, _stalled.Token).ConfigureAwait(false);
            await stream.FlushAsync(_stalled.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            throw new AmqpException(AmqpErrorScope.Transport, new AmqpError(
                ErrorCondition.ConnectionForced, $"The peer took no byte for {settings.StalledPeerTimeout.TotalSeconds:0.#} s."));
        }

        Volatile.Write(ref _lastWrite, settings.TimeProvider.GetTimestamp());
        _writing.Clear();
    }
}
