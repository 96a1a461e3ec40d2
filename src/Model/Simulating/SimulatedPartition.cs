namespace EventHubThroughput.Model.Simulating;

/// <summary>One ownership of a partition: reads batches, hands them over within window and replay limit, and has checkpoints stored at batch ends.</summary>
internal sealed class SimulatedPartition
{
    private readonly Calendar calendar;
    private readonly SimulationCounters tally;
    private readonly RunAhead limits;
    private readonly StrategyRule rule;
    private readonly int batch;
    private readonly int least;
    private readonly int batchesPerCheckpoint;
    private readonly bool storesAtBatchEnds;
    private readonly SimulatedReader reader;
    private readonly SimulatedEvents events;
    private readonly SimulatedCheckpoints checkpoints;
    private readonly ISimulatedStrategy strategy;

    // Events that were read and not handed over, and the rest of the present batch, which waits for room.
    private int kept;
    private int left;

    // The present batch: when it arrived, and its events.
    private double began;
    private int size;
    private bool waits;
    private bool flushes;
    private bool windowFull;
    private bool replayFull;

    // Since the measured part began.
    private int batchesEnded;
    private (double Time, int Events)? first;
    private (double Time, int Events)? last;

    public SimulatedPartition(
        Calendar calendar,
        SimulatedServices services,
        ModelSettings settings,
        StrategyRule rule,
        SimulationCounters tally,
        int number,
        int most
    )
    {
        (this.calendar, this.tally, this.rule) = (calendar, tally, rule);
        limits = RunAhead.Of(settings, rule);

        // A larger window than there are events would only need memory.
        limits = limits with
        {
            Window = Math.Min(limits.Window, most),
        };
        batch = settings.Batch;
        least = rule.GetMinimum(settings);
        batchesPerCheckpoint = rule.BatchesPerCheckpoint(settings);
        reader = services.CreateReader();
        events = new SimulatedEvents(calendar, tally);
        var due = settings.Checkpoints.For(rule.IsBarrier);
        storesAtBatchEnds = due.IsAtBatchEnds;
        checkpoints = new SimulatedCheckpoints(calendar, services.Checkpoint, events, due, tally);
        strategy = SimulatedStrategies.Create(new StrategyParts(calendar, services, settings, rule, events, limits, number));
        events.Moved = Moved;
        checkpoints.Changed = TryOn;
    }

    /// <summary>Events per second between the first and the last measured batch end. Null with fewer than two of them.</summary>
    public double? BatchRate => first is { } from && last is { } to && to.Time > from.Time ? 1_000 * (to.Events - from.Events) / (to.Time - from.Time) : null;

    /// <summary>Begins to read.</summary>
    public void Start() => reader.Read(Received);

    private void Received(int count)
    {
        kept += count;
        Next();
    }

    private void Next()
    {
        if (kept < least)
        {
            reader.Read(Received);
            return;
        }

        left = Math.Min(kept, batch);
        kept -= left;
        (began, size) = (calendar.Now, left);
        HandOver();
    }

    private void HandOver()
    {
        if (left == 0)
        {
            EndBatch();
            return;
        }

        waits = true;
        TryOn();
    }

    // Continues the batch that waits for room, if there is some.
    private void TryOn()
    {
        if (!waits)
        {
            return;
        }

        if (Room() is > 0 and var room)
        {
            waits = false;
            left -= room;
            var from = events.HandedOver;
            events.HandOver(room);
            tally.Replayed(events.HandedOver - checkpoints.Confirmed);
            strategy.Dispatch(from, room, HandOver);
        }
        else if (replayFull && !flushes && events.Passed > checkpoints.Confirmed)
        {
            flushes = true;
            checkpoints.Flush(() =>
            {
                flushes = false;
                TryOn();
            });
        }
    }

    private int Room()
    {
        var outstanding = events.HandedOver - events.Passed;
        long unconfirmed = events.HandedOver - checkpoints.Confirmed;
        windowFull = outstanding >= limits.Window || (windowFull && outstanding > limits.WindowMark);
        replayFull = unconfirmed >= limits.Replay || (replayFull && unconfirmed > limits.ReplayMark);
        return windowFull || replayFull ? 0 : (int)Math.Min(left, Math.Min(limits.Window - outstanding, limits.Replay - unconfirmed));
    }

    private void EndBatch()
    {
        if (!rule.IsBarrier || !storesAtBatchEnds)
        {
            Read();
            return;
        }

        batchesEnded++;
        if (batchesEnded % batchesPerCheckpoint == 0)
        {
            checkpoints.Flush(Read);
        }
        else
        {
            Continue();
        }
    }

    private void Read()
    {
        if (rule.IsBarrier && tally.IsMeasuring)
        {
            last = (calendar.Now, events.Passed);
            first ??= last;
        }

        Continue();
    }

    private void Continue()
    {
        tally.BatchEnded(calendar.Now, (calendar.Now - began) / size);
        if (kept >= least)
        {
            // Not on the stack of the call before.
            calendar.At(calendar.Now, Next);
        }
        else
        {
            reader.Read(Received);
        }
    }

    private void Moved()
    {
        checkpoints.Look();
        TryOn();
    }
}
