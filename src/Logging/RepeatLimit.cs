namespace EventHubThroughput.Logging;

/// <summary>
/// Counts repetitions. A subject's first line is admitted. What follows within the period is held back, of which the newest is kept. When the
/// period ends, that one is written and the next period begins, so that a line that goes on repeating itself costs one a period.
/// Memory is limited by <see cref="MostSubjects"/>, each with one line at the most: beyond that, all further subjects of a kind of line count
/// as one, and of kinds there are as many as the code has. May be used concurrently. Lines are written outside of the lock.
/// </summary>
internal sealed class RepeatLimit : IDisposable
{
    /// <summary>So many subjects are told apart at one time.</summary>
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

    /// <summary>Whether a line may be written now. If not, it is to be held back.</summary>
    public bool Admits(LineSubject subject)
    {
        lock (gate)
        {
            return disposed || Find(subject) is null && Begin(subject);
        }
    }

    /// <summary>Takes a line that was not admitted.</summary>
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

        // Its period has ended in between.
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

    // The timer: ends the periods that are over, and waits for the next one to end.
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
