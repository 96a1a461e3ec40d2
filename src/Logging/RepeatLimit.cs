namespace EventHubThroughput.Logging;

/// <summary>
/// Counts repetitions. A subject's first line is admitted. Later lines within the period are suppressed, and the newest of them is kept. It is written at the
/// end of the period, and the next period begins. So a line that repeats costs one line per period. Memory is limited by <see cref="MostSubjects"/>, each
/// with at most one line. Beyond that, all further subjects of a kind of line count as one. The number of kinds is fixed by the code. May be used
/// concurrently. Lines are written outside of the lock.
/// </summary>
internal sealed class RepeatLimit : IDisposable
{
    /// <summary>The most subjects that are distinguished at one time.</summary>
    public const int MostSubjects = 1024;

    private readonly TimeProvider timeProvider;
    private readonly TimeSpan period;
    private readonly ITimer timer;
    private readonly Lock gate = new();

    // Under the gate.
    private readonly Dictionary<LineSubject, Repetitions> known = [];
    private bool disposed;

    public RepeatLimit(TimeProvider timeProvider, TimeSpan period)
    {
        this.timeProvider = timeProvider;
        this.period = period;
        timer = timeProvider.CreateTimer(static state => ((RepeatLimit)state!).Sweep(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Whether a line may be written now. If not, pass it to <see cref="HoldBack"/>.</summary>
    public bool Admits(LineSubject subject)
    {
        lock (gate)
        {
            return disposed || Find(subject) is null && Begin(subject);
        }
    }

    /// <summary>Keeps a line that was not admitted.</summary>
    public void HoldBack(LineSubject subject, RepeatedLine line)
    {
        lock (gate)
        {
            if (Find(subject) is { } repetitions)
            {
                repetitions.Count++;
                repetitions.Newest = line;
                return;
            }
        }

        // Its period has ended in the meantime.
        line.Write(leftOut: 0, period);
    }

    public void Dispose()
    {
        List<Repetitions> rest;
        lock (gate)
        {
            disposed = true;
            rest = [.. known.Values];
            known.Clear();
        }

        timer.Dispose();
        rest.ForEach(one => one.Newest?.Write(one.Count - 1, period));
    }

    private Repetitions? Find(LineSubject subject) =>
        known.TryGetValue(subject, out var own) ? own
        : known.Count >= MostSubjects && known.TryGetValue(subject.Others, out var shared) ? shared
        : null;

    private bool Begin(LineSubject subject)
    {
        if (known.Count == 0)
        {
            timer.Change(period, Timeout.InfiniteTimeSpan);
        }

        known[known.Count < MostSubjects ? subject : subject.Others] = new Repetitions { Began = timeProvider.GetTimestamp() };
        return true;
    }

    // The timer: ends the periods that have ended, and waits for the next end.
    private void Sweep()
    {
        List<(RepeatedLine Line, int LeftOut)> due = [];
        lock (gate)
        {
            var now = timeProvider.GetTimestamp();
            foreach (var (subject, repetitions) in known.ToArray())
            {
                if (timeProvider.GetElapsedTime(repetitions.Began, now) < period)
                {
                    continue;
                }

                if (repetitions.Newest is { } newest)
                {
                    due.Add((newest, repetitions.Count - 1));
                    known[subject] = new Repetitions { Began = now };
                }
                else
                {
                    known.Remove(subject);
                }
            }

            if (known.Count > 0 && !disposed)
            {
                var left = period - timeProvider.GetElapsedTime(known.Values.Min(static one => one.Began), now);
                timer.Change(left > TimeSpan.Zero ? left : TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
            }
        }

        due.ForEach(one => one.Line.Write(one.LeftOut, period));
    }

    private sealed class Repetitions
    {
        public required long Began { get; init; }

        public int Count { get; set; }

        public RepeatedLine? Newest { get; set; }
    }
}
