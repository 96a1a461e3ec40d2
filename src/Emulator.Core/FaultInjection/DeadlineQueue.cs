namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// Wakes waiters at their deadlines to about 0.2 ms. The timers of the runtime have a grain of a millisecond and more, which a
/// mean of a few milliseconds would show. So one thread waits for the earliest deadline itself: on the gate until 2 ms before
/// it, then in sleeps of at most half a millisecond, so that a waiter that comes later with an earlier deadline is seen in time
/// and no core is spun.
/// </summary>
internal sealed class DeadlineQueue : IDeadlines, IDisposable
{
    /// <summary>The longest that <see cref="Wake"/> says: a few times what an idle machine takes, so that a stall is no credit.</summary>
    internal static readonly TimeSpan LongestWake = TimeSpan.FromMilliseconds(0.3);

    private const int Inertia = 16;

    private static readonly TimeSpan Fine = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(0.5);

    private readonly Lock _gate = new();
    private readonly AutoResetEvent _earlier = new(false);
    private readonly Thread _thread;

    // Under the gate.
    private readonly PriorityQueue<Waiter, long> _waiters = new();
    private long _earliest = long.MaxValue;
    private bool _disposed;

    // Ticks. Follows what the last dozen wakes took.
    private double _wake;

    public DeadlineQueue()
    {
        _thread = new Thread(Run)
        {
            IsBackground = true,
            Name = "deadlines",
            Priority = ThreadPriority.AboveNormal,
        };
        _thread.Start();
    }

    public TimeProvider Clock => TimeProvider.System;

    public TimeSpan Wake => TimeSpan.FromTicks((long)Volatile.Read(ref _wake));

    public async ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (timestamp <= Clock.GetTimestamp())
        {
            return;
        }

        var waiter = new Waiter();
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _waiters.Enqueue(waiter, timestamp);
            if (timestamp < _earliest)
            {
                _earliest = timestamp;
                _earlier.Set();
            }
        }

        await using var registration = cancellationToken.UnsafeRegister(static (state, token) => ((Waiter)state!).TrySetCanceled(token), waiter);
        await waiter.Task;
        Note(Clock.GetElapsedTime(waiter.WokenAt));
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            _earlier.Set();
        }

        _thread.Join();
        _earlier.Dispose();
    }

    private void Run()
    {
        PreciseSleep.AskForFineTimers();
        while (true)
        {
            TimeSpan? left;
            lock (_gate)
            {
                if (_disposed)
                {
                    Abandon();
                    return;
                }

                WakeDue();
                left = LeftUntil(_earliest, Clock.GetTimestamp(), Clock);
            }

            if (left is not { } time)
            {
                _earlier.WaitOne();
            }
            else if (time > Fine)
            {
                // Whole milliseconds, rounded down: the rest is slept precisely.
                _earlier.WaitOne((int)Math.Min((time - Fine).TotalMilliseconds + 1, int.MaxValue));
            }
            else if (time > TimeSpan.Zero)
            {
                PreciseSleep.For(time < Slice ? time : Slice);
            }
        }
    }

    /// <summary>
    /// How long is to be waited until a deadline. Nothing for one that has passed since it was looked at last, and null where there is none: no time may stand for
    /// that, since a deadline passed by a millisecond is minus one of them, as is <see cref="Timeout.InfiniteTimeSpan"/>.
    /// </summary>
    internal static TimeSpan? LeftUntil(long earliest, long now, TimeProvider clock) =>
        earliest == long.MaxValue ? null
        : earliest <= now ? TimeSpan.Zero
        : clock.GetElapsedTime(now, earliest);

    private void WakeDue()
    {
        var now = Clock.GetTimestamp();
        while (_waiters.TryPeek(out var waiter, out var due) && due <= now)
        {
            _waiters.Dequeue();
            waiter.WokenAt = Clock.GetTimestamp();
            waiter.TrySetResult();
        }

        _earliest = _waiters.TryPeek(out _, out var next) ? next : long.MaxValue;
    }

    // Of several at once one may be forgotten: all took about as long.
    private void Note(TimeSpan woken)
    {
        var known = Volatile.Read(ref _wake);
        Volatile.Write(ref _wake, known + ((Math.Min(woken.Ticks, LongestWake.Ticks) - known) / Inertia));
    }

    private void Abandon()
    {
        while (_waiters.TryDequeue(out var waiter, out _))
        {
            waiter.TrySetException(new ObjectDisposedException(nameof(DeadlineQueue)));
        }
    }

    // Continuations leave this thread at once: it has the next deadline to keep.
    private sealed class Waiter() : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long WokenAt { get; set; }
    }
}

/// <summary>A clock that wakes: precise in the process, virtual in tests.</summary>
internal interface IDeadlines
{
    TimeProvider Clock { get; }

    /// <summary>What it has taken lately from telling that a deadline has come until a thread goes on: the time to wake one, and to get to what waits.</summary>
    TimeSpan Wake { get; }

    /// <summary>Completes at the timestamp of <see cref="Clock"/>, never before.</summary>
    ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken);
}
