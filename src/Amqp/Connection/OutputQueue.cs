using System.Buffers;
using System.Diagnostics;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Frames that wait for the socket. Writers encode into one buffer under the connection's lock. One loop swaps buffers and writes: all frames that gather
/// during a write go out in the next one. A writer that encodes something alone may run the loop itself. So may a writer that finds frames waiting for long.
/// </summary>
internal sealed class OutputQueue(Stream stream, Lock gate, ConnectionSettings settings, Action roomAgain) : IDisposable
{
    // What a peer must accept within the time for stalled peers: it may be slow, but must not stop.
    private const int Slice = 64 * 1024;

    // A frame's header and its transfer. The smallest frame is more than twice that.
    private const int LargestTransferHead = 128;

    private const long Nothing = long.MaxValue;

    // How long gathered frames wait for more. A socket write costs a tenth of it.
    private static readonly TimeSpan GatherWindow = TimeSpan.FromMicroseconds(100);

    private readonly AsyncSignal _more = new();

    // Callers that were answered, and those of them that have resumed. Until all have resumed, more is about to be sent.
    private long _resuming;
    private long _resumed;

    // Gathered frames go out when this many callers have resumed. The constant Nothing if no frame waits for that.
    private long _heldUntil = Nothing;

    // Since when frames are gathered. Guarded by the connection's lock.
    private long _gatheredSince;

    // Whether the loop may take the gathered frames: 0 or 1.
    private int _due;

    // Guarded by the connection's lock.
    private FrameBuffer _gathering = new();
    private List<Action> _gatheringCalls = [];
    private bool _closed;
    private bool _wasFull;

    // Whether the lock's holder can write after it leaves the lock, whether it does so for everything that becomes due, and whether something is due.
    private bool _isScoped;
    private bool _isAlone;
    private bool _isDueHere;

    // The last encoded disposition, as long as nothing was encoded after it.
    private DispositionHead? _joinable;
    private ushort _joinableChannel;
    private int _joinableStart;
    private int _joinableEnd;

    // Used only by the write loop.
    private FrameBuffer _writing = new();
    private List<Action> _writingCalls = [];
    private CancellationTokenSource _stalled = new(Timeout.InfiniteTimeSpan, settings.TimeProvider);

    private long _lastWrite = settings.TimeProvider.GetTimestamp();

    /// <summary>The peer's limit for our frames. 512 until its open was received.</summary>
    public uint MaxFrameSize { get; set; } = FrameReader.MinMaxFrameSize;

    /// <summary>Whether writers of payload must wait. Call under the lock.</summary>
    public bool IsFull
    {
        get
        {
            AssertLocked();
            var full = _gathering.Length > settings.WriteQueueLimit;
            _wasFull |= full;
            return full;
        }
    }

    /// <summary>Bytes of payload until writers of it must wait. Call under the lock.</summary>
    public long Room => Math.Max(0, settings.WriteQueueLimit - _gathering.Length);

    /// <summary>Payload that always fits in one frame.</summary>
    public int PayloadSize => (int)Math.Min(MaxFrameSize, int.MaxValue) - LargestTransferHead;

    /// <summary>
    /// Whether answers alone have filled the queue far beyond the limit for payload. Then nothing more is read. So a peer that sends requests and never reads
    /// the answers meets the limit too. Call under the lock.
    /// </summary>
    public bool IsFlooded => IsFull && _gathering.Length > 2L * settings.WriteQueueLimit;

    /// <summary>The buffer to encode into. Under the lock, followed by <see cref="Commit"/>.</summary>
    public FrameBuffer Buffer => _gathering;

    /// <summary>The time since the last write.</summary>
    public TimeSpan Silence => settings.TimeProvider.GetElapsedTime(Volatile.Read(ref _lastWrite));

    /// <summary>
    /// Encodes a settlement. Under the lock. Consecutive settlements with one outcome that are not yet written become one frame. So a few frames answer a
    /// burst of deliveries.
    /// </summary>
    public void WriteDisposition(ushort channel, DispositionHead disposition)
    {
        AssertLocked();
        if (_joinable is { } last && _joinableChannel == channel && _joinableEnd == _gathering.Length && Follows(last, disposition))
        {
            _gathering.Truncate(_joinableStart);
            disposition = last with { Last = disposition.First };
        }

        _joinable = disposition;
        _joinableChannel = channel;
        _joinableStart = _gathering.Length;
        FrameWriter.WriteDisposition(_gathering, channel, disposition, MaxFrameSize);
        _joinableEnd = _gathering.Length;
        Commit();
    }

    /// <summary>
    /// Calls back after everything encoded so far was written to the stream, never if that fails. Call it under the lock. The callback runs on the writing
    /// thread without the lock. It must be short and must not throw.
    /// </summary>
    public void WhenWritten(Action call)
    {
        AssertLocked();
        _gatheringCalls.Add(call);
    }

    /// <summary>
    /// Lets the loop write the encoded frames. Under the lock. The loop writes immediately, unless callers were answered just before and have not resumed
    /// yet. Those callers are before the loop in the thread pool's queue, or the read loop runs one of them. What they send goes out together with these
    /// frames, unless that takes too long.
    /// </summary>
    public void Commit()
    {
        AssertLocked();
        if (_gathering.Length >= Slice)
        {
            MakeDue(_isAlone);
        }
        else if (_heldUntil != Nothing)
        {
            // The resumed callers do more than sending, or the loop is queued after callers that do.
            if (_isScoped && settings.TimeProvider.GetElapsedTime(_gatheredSince) > GatherWindow)
            {
                Interlocked.Exchange(ref _due, 1);
                _isDueHere = true;
            }
        }
        else if (Volatile.Read(ref _due) == 0)
        {
            _gatheredSince = settings.TimeProvider.GetTimestamp();

            // First the mark, then the check: a caller that resumes between the two sees the mark.
            Interlocked.Exchange(ref _heldUntil, _resuming);
            DueIfAllHaveContinued(_isAlone);
        }
    }

    /// <summary>
    /// From now on the holder of the lock can call <see cref="WriteHere"/> after it has left the lock. Under the lock, by a <see cref="WritingScope"/>.
    /// </summary>
    public void BeginScope()
    {
        AssertLocked();
        _isScoped = true;
    }

    /// <summary>
    /// From now on the caller is the only writer and writes itself, which is quicker than waking another thread. Under the lock, which is a
    /// <see cref="WritingScope"/>.
    /// </summary>
    public void BeginAlone()
    {
        AssertLocked();
        _isAlone = true;
    }

    /// <summary>Ends what <see cref="BeginScope"/> began. True when the caller must call <see cref="WriteHere"/> after it has left the lock.</summary>
    public bool EndScope()
    {
        AssertLocked();
        var isDueHere = _isDueHere;
        _isScoped = _isAlone = _isDueHere = false;
        return isDueHere;
    }

    /// <summary>Lets the loop write on this thread, unless it is writing already. Without the lock.</summary>
    public void WriteHere() => _more.SetHere();

    /// <summary>A caller was answered, and is about to resume. Under the lock.</summary>
    public void Resuming()
    {
        AssertLocked();
        _resuming++;
    }

    /// <summary>A caller resumes. Without the lock.</summary>
    public void Resumed()
    {
        Interlocked.Increment(ref _resumed);
        DueIfAllHaveContinued(isHere: false);
    }

    /// <summary>Nothing more will be encoded: the loop ends when all is written. Under the lock.</summary>
    public void Complete()
    {
        AssertLocked();
        _closed = true;
        MakeDue(isHere: false);
    }

    /// <summary>Writes until completed. Throws when the stream is closed or the peer accepts nothing.</summary>
    public async Task RunAsync()
    {
        while (true)
        {
            await _more.WaitAsync().ConfigureAwait(false);
            if (Swap())
            {
                await WriteAsync().ConfigureAwait(false);
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

    /// <summary>Releases the time-out. After the loop has ended.</summary>
    public void Dispose() => _stalled.Dispose();

    [Conditional("DEBUG")]
    private void AssertLocked() => Debug.Assert(gate.IsHeldByCurrentThread, "the connection's lock is held");

    private bool Swap()
    {
        bool notify;
        lock (gate)
        {
            var due = Interlocked.Exchange(ref _due, 0) != 0 || _closed;
            if (_gathering.Length == 0 || !due)
            {
                return false;
            }

            Volatile.Write(ref _heldUntil, Nothing);

            (_gathering, _writing) = (_writing, _gathering);
            (_gatheringCalls, _writingCalls) = (_writingCalls, _gatheringCalls);
            _joinable = null;
            notify = _wasFull;
            _wasFull = false;
        }

        if (notify)
        {
            roomAgain();
        }

        return true;
    }

    private void DueIfAllHaveContinued(bool isHere)
    {
        if (Volatile.Read(ref _resumed) >= Volatile.Read(ref _heldUntil))
        {
            MakeDue(isHere);
        }
    }

    private void MakeDue(bool isHere)
    {
        if (Interlocked.Exchange(ref _due, 1) != 0)
        {
            return;
        }

        if (isHere)
        {
            _isDueHere = true;
        }
        else
        {
            _more.Set();
        }
    }

    // Only equal outcomes can be joined: one range has one state.
    private static bool Follows(in DispositionHead last, in DispositionHead next) =>
        next.Last is null
        && next.First == unchecked((last.Last ?? last.First) + 1)
        && next.Role == last.Role
        && next.Settled == last.Settled
        && Equals(next.State, last.State);

    private async Task WriteAsync()
    {
        if (settings.Frames is { } observer)
        {
            Show(observer);
        }

        for (var written = 0; written < _writing.Length; written += Slice)
        {
            await WriteAsync(_writing.Written.Slice(written, Math.Min(Slice, _writing.Length - written))).ConfigureAwait(false);
        }

        _writing.Clear();
        foreach (var call in _writingCalls)
        {
            call();
        }

        _writingCalls.Clear();
    }

    // Decoded again instead of reported by the encoder: only here the frames are final, and no lock is held.
    private void Show(IFrameObserver observer)
    {
        var rest = new ReadOnlySequence<byte>(_writing.Written);
        while (FrameReader.TryRead(ref rest, uint.MaxValue, out var frame))
        {
            observer.Saw(FrameDirection.Sent, frame);
        }
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> slice)
    {
        // One source serves all writes: nearly every write completes synchronously and returns it.
        if (!_stalled.TryReset())
        {
            _stalled.Dispose();
            _stalled = new CancellationTokenSource(Timeout.InfiniteTimeSpan, settings.TimeProvider);
        }

        _stalled.CancelAfter(settings.StalledPeerTimeout);
        try
        {
            await stream.WriteAsync(slice, _stalled.Token).ConfigureAwait(false);
            await stream.FlushAsync(_stalled.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            throw new AmqpException(
                AmqpErrorScope.Transport,
                new AmqpError(
                    ErrorCondition.ConnectionForced,
                    $"The peer took less than {slice.Length} bytes in {settings.StalledPeerTimeout.TotalSeconds:0.#} s."
                )
            );
        }

        Volatile.Write(ref _lastWrite, settings.TimeProvider.GetTimestamp());
    }
}
