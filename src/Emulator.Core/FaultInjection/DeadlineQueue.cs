namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// Wakes waiters at their deadlines, to about 0.2 ms. Timers of the runtime are precise to a millisecond or more, which would distort a mean of a few
/// milliseconds. Therefore one thread waits for the earliest deadline. It waits on the gate until 2 ms before it, then sleeps for at most half a millisecond at
/// a time. A later waiter with an earlier deadline is noticed in time, and no core spins.
/// </summary>
internal sealed class DeadlineQueue : IDeadlines, IDisposable
{
    /// <summary>The upper limit of <see cref="Wake"/>: a few times the value of an idle machine, so that a pause does not raise it.</summary>
    internal static readonly TimeSpan LongestWake = TimeSpan.FromMilliseconds(0.3);

    private const int Inertia = 16;

    private static readonly TimeSpan Fine = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(0.5);

    private readonly Lock _gate = new();
    private readonly AutoResetEvent _earlier = new(false);
    private readonly Thread _thread;

    // Guarded by the gate.
    private readonly PriorityQueue<Waiter, long> _waiters = new();
    private long _earliest = long.MaxValue;
    private bool _disposed;

    // In ticks. A moving average of about a dozen wakes.
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
        PreciseSleep.RequestFineTimers();
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
                // Whole milliseconds, rounded down. The rest is waited precisely.
                _earlier.WaitOne((int)Math.Min((time - Fine).TotalMilliseconds + 1, int.MaxValue));
            }
            else if (time > TimeSpan.Zero)
            {
                PreciseSleep.For(time < Slice ? time : Slice);
            }
        }
    }

    /// <summary>
    /// The time until a deadline. Zero if it has passed since the last check, null if there is none. No time may represent "none": a deadline that passed one
    /// millisecond ago would equal <see cref="Timeout.InfiniteTimeSpan"/>.
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

    // Of several concurrent notes one may be lost, because all took about the same time.
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

    // Continuations run on other threads, because this one waits for the next deadline.
    private sealed class Waiter() : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long WokenAt { get; set; }
    }
}

/// <summary>A clock with deadlines: precise in the process, virtual in tests.</summary>
internal interface IDeadlines
{
    TimeProvider Clock { get; }

    /// <summary>The recent time from a deadline until the continuation runs: to wake a thread, and to reach the waiting code.</summary>
    TimeSpan Wake { get; }

    /// <summary>Completes at the timestamp of <see cref="Clock"/>, never before.</summary>
    ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken);
}
