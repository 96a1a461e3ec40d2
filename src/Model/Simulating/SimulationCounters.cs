namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Counts what a simulation does, after its first tenth. Without a barrier it measures from one completion to another. With one it measures between batch
/// ends on each partition, so that whole batches with their reading and their checkpoint are included.
/// </summary>
/// <param name="wanted">The number of events after which it ends.</param>
/// <param name="barrier">Whether there are batch ends.</param>
internal sealed class SimulationCounters(int wanted, bool barrier)
{
    private readonly List<double> sinceHandOver = new(wanted);
    private readonly List<double> sinceBegun = new(wanted);
    private readonly StepTimes messages = new();
    private readonly StepTimes blobs = new();
    private readonly StepTimes checkpoints = new();
    private readonly StepTimes batches = new();
    private long completed;
    private long stored;
    private double start = double.NaN;

    // Events in flight, and their integral over time until the last change.
    private int inFlight;
    private double area;
    private double changed;

    /// <summary>Whether the beginning, which is excluded, has ended.</summary>
    public bool IsMeasuring => !double.IsNaN(start);

    /// <summary>Whether the wanted number of events is complete.</summary>
    public bool IsOver => completed >= wanted;

    /// <summary>The most events of one partition that no checkpoint covered.</summary>
    public long LargestReplay { get; private set; }

    /// <summary>Records the beginning of an event.</summary>
    public void Begun(double now) => Change(now, 1);

    /// <summary>Records the completion of an event.</summary>
    public void Completed(double now, double handedOver, double begun)
    {
        Change(now, -1);
        completed++;
        if (now > start)
        {
            sinceHandOver.Add(now - handedOver);
            sinceBegun.Add(now - begun);
        }
        else if (completed * 10 >= wanted && !IsMeasuring)
        {
            (start, area, changed) = (now, 0, now);
        }
    }

    /// <summary>Records the send of a message, or of a group of them.</summary>
    public void Sent(double now, double elapsed) => Ended(messages, now, elapsed);

    /// <summary>Records the upload of a blob.</summary>
    public void Uploaded(double now, double elapsed) => Ended(blobs, now, elapsed);

    /// <summary>Records a stored checkpoint.</summary>
    /// <param name="now">The present time.</param>
    /// <param name="elapsed">Its duration divided by the number of newly covered events.</param>
    public void Stored(double now, double elapsed)
    {
        stored += now > start ? 1 : 0;
        Ended(checkpoints, now, elapsed);
    }

    /// <summary>Records the end of a batch, its checkpoint included.</summary>
    /// <param name="now">The present time.</param>
    /// <param name="elapsed">Its duration divided by the number of its events.</param>
    public void BatchEnded(double now, double elapsed)
    {
        Ended(batches, now, elapsed);
        messages.BatchEnded();
        blobs.BatchEnded();
    }

    /// <summary>Records the number of events that a crash would repeat now.</summary>
    public void Replayed(long events) => LargestReplay = Math.Max(LargestReplay, events);

    /// <summary>The results. Null if no operation took any time.</summary>
    /// <param name="now">The time of the end.</param>
    /// <param name="partitions">The events per second between the batch ends of each partition.</param>
    /// <param name="throttles">Operations refused by a quota.</param>
    public SimulatedFigures? Figures(double now, IReadOnlyList<double?> partitions, long throttles)
    {
        Change(now, 0);
        var seconds = (now - start) / 1_000;
        var count = sinceBegun.Count;
        var rate = barrier && partitions.All(static one => one is not null) ? partitions.Sum(static one => one!.Value) : count / seconds;
        if (!double.IsFinite(rate) || count == 0)
        {
            return null;
        }

        return new SimulatedFigures
        {
            EventsPerSecond = rate,
            SinceHandOver = SimulatedTimes.Of(sinceHandOver),
            SinceBegun = SimulatedTimes.Of(sinceBegun),
            MeanInFlight = area / (now - start),
            CheckpointsPerThousand = 1_000.0 * stored / count,
            LargestReplay = LargestReplay,
            ThrottlesPerThousand = 1_000.0 * throttles / completed,
            Message = messages.Figures(now),
            Blob = blobs.Figures(now),
            Checkpoint = checkpoints.Figures(now),
            Batch = batches.Figures(now),
        };
    }

    private void Ended(StepTimes step, double now, double elapsed)
    {
        if (now > start)
        {
            step.Ended(now, elapsed);
        }
    }

    private void Change(double now, int by)
    {
        area += inFlight * (now - changed);
        changed = now;
        inFlight += by;
    }
}
