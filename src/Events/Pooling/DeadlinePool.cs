namespace EventHubThroughput.Clients;

/// <summary>
/// Time limits for tries. Very many are concurrent, so a timer and a registration for each would be expensive. One timer is set to the earliest of
/// them, and a source that was not cancelled is used again. May be used concurrently.
/// </summary>
internal sealed class DeadlinePool : IDisposable
{
    private const int Kept = 1024;
    private const long Never = long.MaxValue;

    // In timestamps: a timer can wait for it, and the sum with a timestamp does not overflow.
    private const long Longest = 1L << 52;

    private readonly TimeProvider timeProvider;
    private readonly CancellationToken lifetime;
    private readonly CancellationTokenRegistration ending;
    private readonly double timestampsPerTick;
    private readonly Lock gate = new();
    private readonly Stack<RunningLimit> idle = new();

    // Under the gate. Running limits in the order of their ends, which is nearly always that of their beginnings.
    private RunningLimit? first;
    private RunningLimit? last;

    // Under the gate. The time of the timer: the end of a limit, which may have been ended already. No other end is earlier.
    private ITimer? timer;
    private long standsAt = Never;
    private bool disposed;

    /// <param name="timeProvider">The clock.</param>
    /// <param name="lifetime">Ends every limit immediately. This costs nothing per limit.</param>
    public DeadlinePool(TimeProvider timeProvider, CancellationToken lifetime = default)
    {
        this.timeProvider = timeProvider;
        this.lifetime = lifetime;
        timestampsPerTick = (double)timeProvider.TimestampFrequency / TimeSpan.TicksPerSecond;
        ending = lifetime.UnsafeRegister(static state => ((DeadlinePool)state!).EndAll(), this);
    }

    /// <summary>Starts a limit now.</summary>
    /// <inheritdoc cref="StartFrom"/>
    public Deadline Start(TimeSpan limit, CancellationToken cancellationToken) => StartFrom(timeProvider.GetTimestamp(), limit, cancellationToken);

    /// <summary>Starts a limit. Its token is cancelled at its end, by <paramref name="cancellationToken"/> or at the end of the pool's lifetime.</summary>
    /// <param name="timestamp">When it begins, by the clock's raw timestamp.</param>
    /// <param name="limit">Its duration. One that is already over ends immediately.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    public Deadline StartFrom(long timestamp, TimeSpan limit, CancellationToken cancellationToken)
    {
        var running = Run(timestamp + (long)Math.Clamp(limit.Ticks * timestampsPerTick, 0, Longest));
        if (lifetime.IsCancellationRequested)
        {
            running.Source.Cancel();
        }

        var registration =
            cancellationToken.CanBeCanceled && cancellationToken != lifetime
                ? cancellationToken.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), running.Source)
                : default;
        return new Deadline(this, running, registration);
    }

    /// <summary>Disposes of the timer: only their tokens end limits that are still running. May be called twice.</summary>
    public void Dispose()
    {
        // Without waiting for callbacks that are running: one of them may be the caller.
        ending.Unregister();
        lock (gate)
        {
            disposed = true;
            timer?.Dispose();
        }
    }

    private RunningLimit Run(long endsAt)
    {
        lock (gate)
        {
            if (!idle.TryPop(out var limit))
            {
                limit = new RunningLimit();
            }

            limit.EndsAt = endsAt;
            Insert(limit);
            if (endsAt < standsAt)
            {
                SetTimer(timeProvider.GetTimestamp(), endsAt);
            }

            return limit;
        }
    }

    private void Return(RunningLimit limit)
    {
        lock (gate)
        {
            // The thread that has removed it is about to cancel it.
            if (limit.IsOver)
            {
                return;
            }

            Remove(limit);
            if (first is null && timeProvider != TimeProvider.System)
            {
                // A simulated clock advances from timer to timer. It would advance to a timer without a limit.
                timer?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                standsAt = Never;
            }

            if (limit.Source.TryReset() && idle.Count < Kept)
            {
                idle.Push(limit);
                return;
            }
        }

        limit.Source.Dispose();
    }

    private void EndDue()
    {
        RunningLimit? ended;
        lock (gate)
        {
            var now = timeProvider.GetTimestamp();
            ended = TakeUntil(now);
            standsAt = Never;
            if (first is not null)
            {
                SetTimer(now, first.EndsAt);
            }
        }

        CancelEach(ended);
    }

    private void EndAll()
    {
        RunningLimit? ended;
        lock (gate)
        {
            ended = TakeUntil(Never);
        }

        CancelEach(ended);
    }

    // Returns the expired limits as a chain.
    private RunningLimit? TakeUntil(long timestamp)
    {
        var taken = first;
        RunningLimit? lastTaken = null;
        for (; first is not null && first.EndsAt <= timestamp; first = first.Next)
        {
            first.IsOver = true;
            lastTaken = first;
        }

        if (lastTaken is null)
        {
            return null;
        }

        lastTaken.Next = null;
        if (first is null)
        {
            last = null;
        }
        else
        {
            first.Previous = null;
        }

        return taken;
    }

    // Outside the gate: a callback may start the next limit.
    private static void CancelEach(RunningLimit? ended)
    {
        while (ended is not null)
        {
            var next = ended.Next;
            ended.Source.Cancel();
            ended = next;
        }
    }

    // Never early: a timer has a resolution of whole milliseconds.
    private void SetTimer(long now, long endsAt)
    {
        var after = TimeSpan.FromMilliseconds(Math.Ceiling(Math.Max(0, timeProvider.GetElapsedTime(now, endsAt).TotalMilliseconds)));
        standsAt = endsAt;
        if (disposed)
        {
            return;
        }

        if (timer is null)
        {
            timer = timeProvider.CreateTimer(static state => ((DeadlinePool)state!).EndDue(), this, after, Timeout.InfiniteTimeSpan);
        }
        else
        {
            timer.Change(after, Timeout.InfiniteTimeSpan);
        }
    }

    private void Insert(RunningLimit limit)
    {
        var before = last;
        while (before is not null && before.EndsAt > limit.EndsAt)
        {
            before = before.Previous;
        }

        limit.Previous = before;
        limit.Next = before is null ? first : before.Next;
        if (limit.Next is null)
        {
            last = limit;
        }
        else
        {
            limit.Next.Previous = limit;
        }

        if (before is null)
        {
            first = limit;
        }
        else
        {
            before.Next = limit;
        }
    }

    private void Remove(RunningLimit limit)
    {
        if (limit.Previous is null)
        {
            first = limit.Next;
        }
        else
        {
            limit.Previous.Next = limit.Next;
        }

        if (limit.Next is null)
        {
            last = limit.Previous;
        }
        else
        {
            limit.Next.Previous = limit.Previous;
        }

        (limit.Previous, limit.Next) = (null, null);
    }

    /// <summary>A running limit. It ends when it is disposed of, which must happen once. Disposal of the default value does nothing.</summary>
    public readonly struct Deadline : IDisposable
    {
        private readonly DeadlinePool pool;
        private readonly RunningLimit limit;
        private readonly CancellationTokenRegistration registration;

        internal Deadline(DeadlinePool pool, RunningLimit limit, CancellationTokenRegistration registration)
        {
            this.pool = pool;
            this.limit = limit;
            this.registration = registration;
        }

        /// <summary>Cancelled at the end of the limit, by the caller's token, or at the end of the pool's lifetime.</summary>
        public CancellationToken Token => limit.Source.Token;

        /// <summary>Ends the limit.</summary>
        public void Dispose()
        {
            // First the registration: afterwards only the pool can cancel the source.
            registration.Dispose();
            pool?.Return(limit);
        }
    }

    /// <summary>A limit and its neighbours in time. The pool's gate guards everything except the source.</summary>
    internal sealed class RunningLimit
    {
        public CancellationTokenSource Source { get; } = new();

        public long EndsAt { get; set; }

        /// <summary>Whether it was removed to be cancelled, so that it is never used again.</summary>
        public bool IsOver { get; set; }

        public RunningLimit? Previous { get; set; }

        public RunningLimit? Next { get; set; }
    }
}
