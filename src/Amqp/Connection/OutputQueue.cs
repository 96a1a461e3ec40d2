using System.Buffers;
using System.Diagnostics;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Frames on their way to the socket. Writers encode into one buffer under the connection's lock. One loop swaps buffers and writes,
/// so that whatever has gathered while a write was under way goes out as one. Who encodes something alone may run the loop himself, and
/// so does who finds that something has been waiting for long.
/// </summary>
internal sealed class OutputQueue(Stream stream, Lock gate, ConnectionSettings settings, Action roomAgain) : IDisposable
{
    // What a peer has to take within the time for stalled ones: slow is allowed, standing still is not.
    private const int Slice = 64 * 1024;

    // A frame's header and its transfer. The smallest frame is more than twice that.
    private const int LargestTransferHead = 128;

    private const long Nothing = long.MaxValue;

    // How long what is gathered waits for more. A socket write costs a tenth of it.
    private static readonly TimeSpan GatherWindow = TimeSpan.FromMicroseconds(100);

    private readonly AsyncSignal _more = new();

    // Callers that were answered, and those of them who have gone on: until they have, more is about to be sent.
    private long _resuming;
    private long _resumed;

    // What is gathered goes out when so many have gone on. Nothing while nothing waits for that.
    private long _heldUntil = Nothing;

    // Since when something is gathered. Guarded by the connection's lock.
    private long _gatheredSince;

    // Whether the loop may take what is gathered: 0 or 1.
    private int _due;

    // Guarded by the connection's lock.
    private FrameBuffer _gathering = new();
    private List<Action> _gatheringCalls = [];
    private bool _closed;
    private bool _wasFull;

    // Whoever holds the lock can write what he makes due behind it. He does so with whatever he makes due. And whether there is such a thing.
    private bool _isScoped;
    private bool _isAlone;
    private bool _isDueHere;

    // The disposition that was encoded last, while nothing has been encoded behind it.
    private DispositionHead? _joinable;
    private ushort _joinableChannel;
    private int _joinableStart;
    private int _joinableEnd;

    // The write loop's alone.
    private FrameBuffer _writing = new();
    private List<Action> _writingCalls = [];
    private CancellationTokenSource _stalled = new(Timeout.InfiniteTimeSpan, settings.TimeProvider);

    private long _lastWrite = settings.TimeProvider.GetTimestamp();

    /// <summary>The peer's limit for our frames. 512 until its open was seen.</summary>
    public uint MaxFrameSize { get; set; } = FrameReader.MinMaxFrameSize;

    /// <summary>Whether writers of payload are to wait. To be asked under the lock.</summary>
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

    /// <summary>Bytes of payload until writers of it are to wait. To be asked under the lock.</summary>
    public long Room => Math.Max(0, settings.WriteQueueLimit - _gathering.Length);

    /// <summary>Payload that surely fits in one frame.</summary>
    public int PayloadSize => (int)Math.Min(MaxFrameSize, int.MaxValue) - LargestTransferHead;

    /// <summary>
    /// Whether answers alone have filled the queue far beyond what payload may: then nothing more is read, so that a peer that asks and
    /// never takes meets the limit too. To be asked under the lock.
    /// </summary>
    public bool IsFlooded => IsFull && _gathering.Length > 2L * settings.WriteQueueLimit;

    /// <summary>Where to encode. Under the lock, followed by <see cref="Commit"/>.</summary>
    public FrameBuffer Buffer => _gathering;

    /// <summary>How long nothing has been written.</summary>
    public TimeSpan Silence => settings.TimeProvider.GetElapsedTime(Volatile.Read(ref _lastWrite));

    /// <summary>
    /// Encodes a settlement. Under the lock. Neighbours of one outcome that are still waiting to be written become one frame, so
    /// that a burst of deliveries is answered by a few frames.
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
    /// Calls back once everything that is encoded so far has been handed to the stream. Never when that fails. Under the lock. The
    /// call comes from whoever writes, without it, and must be short and not throw.
    /// </summary>
    public void WhenWritten(Action call)
    {
        AssertLocked();
        _gatheringCalls.Add(call);
    }

    /// <summary>
    /// Lets the loop write what was encoded. Under the lock. At once, unless callers were answered just before who have not gone on yet:
    /// they stand in front of the loop in the thread pool's queue, or the read loop has one of them, and what they send goes out with it, unless
    /// that takes them too long.
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
            // Those who went on are doing more than sending, or the loop stands behind others who do.
            if (_isScoped && settings.TimeProvider.GetElapsedTime(_gatheredSince) > GatherWindow)
            {
                Interlocked.Exchange(ref _due, 1);
                _isDueHere = true;
            }
        }
        else if (Volatile.Read(ref _due) == 0)
        {
            _gatheredSince = settings.TimeProvider.GetTimestamp();

            // First the mark, then the look at who has gone on: whoever does so between the two sees the mark.
            Interlocked.Exchange(ref _heldUntil, _resuming);
            DueIfAllHaveGoneOn(_isAlone);
        }
    }

    /// <summary>Whoever holds the lock from now on can <see cref="WriteHere"/> once he has left it. Under the lock, by a <see cref="WritingScope"/>.</summary>
    public void BeginScope()
    {
        AssertLocked();
        _isScoped = true;
    }

    /// <summary>
    /// What the caller encodes from now on has nothing beside it: he will write it himself, as nobody who is woken for it can be as quick.
    /// Under the lock, which is a <see cref="WritingScope"/>.
    /// </summary>
    public void BeginAlone()
    {
        AssertLocked();
        _isAlone = true;
    }

    /// <summary>Ends what <see cref="BeginScope"/> began. True when the caller is to <see cref="WriteHere"/> once he has left the lock.</summary>
    public bool EndScope()
    {
        AssertLocked();
        var isDueHere = _isDueHere;
        _isScoped = _isAlone = _isDueHere = false;
        return isDueHere;
    }

    /// <summary>Lets the loop write on this thread, unless it is writing already. Without the lock.</summary>
    public void WriteHere() => _more.SetHere();

    /// <summary>A caller was answered, and is about to go on. Under the lock.</summary>
    public void Resuming()
    {
        AssertLocked();
        _resuming++;
    }

    /// <summary>A caller goes on. Without the lock.</summary>
    public void Resumed()
    {
        Interlocked.Increment(ref _resumed);
        DueIfAllHaveGoneOn(isHere: false);
    }

    /// <summary>Nothing more will be encoded: the loop ends when all is written. Under the lock.</summary>
    public void Complete()
    {
        AssertLocked();
        _closed = true;
        MakeDue(isHere: false);
    }

    /// <summary>Writes until completed. Throws when the stream is closed or the peer takes nothing.</summary>
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

    private void DueIfAllHaveGoneOn(bool isHere)
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

    // Outcomes must be equal to be joined: one range has one state.
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

    // Read back rather than told by whoever encodes: only here is it settled which frames these are, and no lock is held.
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
        // One source serves all writes: nearly every write ends at once and gives it back.
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
