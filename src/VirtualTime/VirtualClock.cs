namespace EventHubThroughput.Testing;

/// <summary>
/// A clock that does not move until it is advanced. Timers fire in order of their due time, and equal ones in the order in which they were set, on the thread
/// that advances. May be used from several threads.
/// </summary>
public sealed class VirtualClock : TimeProvider
{
    private readonly Lock gate = new();
    private readonly SortedDictionary<(long Due, long Order), VirtualTimer> timers = [];
    private readonly DateTimeOffset start;
    private long now;
    private long lastOrder;
    private TaskCompletionSource? timerSet;

    /// <summary>Creates a clock that shows the first of January 2026, 0:00 UTC.</summary>
    public VirtualClock()
        : this(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero)) { }

    /// <param name="start">The first time that it shows.</param>
    public VirtualClock(DateTimeOffset start) => this.start = start;

    /// <summary>The virtual time since the clock was created.</summary>
    public TimeSpan Elapsed => TimeSpan.FromTicks(Interlocked.Read(ref now));

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <summary>The number of timers that are set.</summary>
    public int PendingTimers
    {
        get
        {
            lock (gate)
            {
                return timers.Count;
            }
        }
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => Interlocked.Read(ref now);

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => start + Elapsed;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new VirtualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Advances the clock and fires every timer that becomes due, each at its own time.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        var until = Interlocked.Read(ref now) + by.Ticks;
        while (FireNext(until, long.MaxValue)) { }

        Interlocked.Exchange(ref now, until);
    }

    /// <summary>Advances the clock to the next timer and fires it with all others due then. False when none is set.</summary>
    public bool AdvanceToNextTimer()
    {
        // Timers that the callbacks set fire next time. Otherwise a timer that sets itself again would never end.
        var newest = Interlocked.Read(ref lastOrder);
        if (!FireNext(long.MaxValue, newest))
        {
            return false;
        }

        while (FireNext(Interlocked.Read(ref now), newest)) { }

        return true;
    }

    /// <summary>Completes when at least one timer is set, immediately if one is set already.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public Task UntilTimerIsSetAsync(CancellationToken cancellationToken)
    {
        lock (gate)
        {
            if (timers.Count > 0)
            {
                return Task.CompletedTask;
            }

            timerSet ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return timerSet.Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>A delay exact to the tick. Task.Delay truncates to whole milliseconds.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled before the delay had passed.</exception>
    public async Task DelayAsync(TimeSpan delay, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var elapsed = new TaskCompletionSource();
        using var timer = CreateTimer(static state => ((TaskCompletionSource)state!).TrySetResult(), elapsed, delay, Timeout.InfiniteTimeSpan);
        using var registration = cancellationToken.Register(() => elapsed.TrySetCanceled(cancellationToken));
        await elapsed.Task;
    }

    private bool FireNext(long until, long newest)
    {
        VirtualTimer timer;
        lock (gate)
        {
            if (timers.Count == 0)
            {
                return false;
            }

            var (key, next) = timers.First();
            if (key.Due > until || key.Order > newest)
            {
                return false;
            }

            timers.Remove(key);
            timer = next;
            now = Math.Max(now, key.Due);
            timer.Key = null;
            if (timer.Period > 0)
            {
                Set(timer, now + timer.Period);
            }
        }

        // Outside the lock: callbacks set and dispose timers.
        timer.Fire();
        return true;
    }

    // Called with the gate held.
    private void Set(VirtualTimer timer, long due)
    {
        timer.Key = (due, ++lastOrder);
        timers.Add(timer.Key.Value, timer);
        timerSet?.TrySetResult();
        timerSet = null;
    }

    private bool Change(VirtualTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        lock (gate)
        {
            if (timer.Disposed)
            {
                return false;
            }

            if (timer.Key is { } key)
            {
                timers.Remove(key);
                timer.Key = null;
            }

            timer.Period = period > TimeSpan.Zero ? period.Ticks : 0;
            if (dueTime != Timeout.InfiniteTimeSpan)
            {
                Set(timer, now + dueTime.Ticks);
            }

            return true;
        }
    }

    private void Remove(VirtualTimer timer)
    {
        lock (gate)
        {
            timer.Disposed = true;
            if (timer.Key is { } key)
            {
                timers.Remove(key);
                timer.Key = null;
            }
        }
    }

    // Its fields are used only under the clock's gate.
    private sealed class VirtualTimer(VirtualClock clock, TimerCallback callback, object? state) : ITimer
    {
        public (long Due, long Order)? Key { get; set; }

        public long Period { get; set; }

        public bool Disposed { get; set; }

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period) => clock.Change(this, dueTime, period);

        public void Dispose() => clock.Remove(this);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
