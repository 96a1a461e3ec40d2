namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// The checkpoints of a partition: one write at a time, each with the watermark at its beginning. By count and time they run concurrently with the
/// processing.
/// </summary>
/// <param name="calendar">The virtual time.</param>
/// <param name="service">Writes them.</param>
/// <param name="events">Has the watermark.</param>
/// <param name="rule">When they are due.</param>
/// <param name="tally">Receives each stored checkpoint.</param>
internal sealed class SimulatedCheckpoints(Calendar calendar, SimulatedService service, SimulatedEvents events, CheckpointRule rule, SimulationCounters tally)
{
    private readonly List<(int Wanted, Action Stored)> waiting = [];
    private bool isWriting;

    // The schedule: since when an event is passed and not stored, whether a write was requested, and the time of the timer.
    private double? oldest;
    private bool isAsked;
    private double alarm = double.NegativeInfinity;

    /// <summary>Events that the confirmed checkpoint covers.</summary>
    public int Confirmed { get; private set; }

    /// <summary>Called when that has changed.</summary>
    public Action Changed { get; set; } = static () => { };

    /// <summary>Stores the watermark, unless it is stored already.</summary>
    /// <param name="stored">Called when it is stored.</param>
    public void Flush(Action stored)
    {
        if (Confirmed >= events.Passed)
        {
            stored();
            return;
        }

        waiting.Add((events.Passed, stored));
        Write();
    }

    /// <summary>Checks whether a checkpoint is due by count or time.</summary>
    public void Look()
    {
        if (rule.IsAtBatchEnds || isAsked)
        {
            return;
        }

        var unconfirmed = events.Passed - Confirmed;
        oldest = unconfirmed > 0 ? oldest ?? calendar.Now : null;
        if (oldest is not { } since)
        {
            return;
        }

        if (unconfirmed >= rule.Events || calendar.Now >= since + rule.Milliseconds)
        {
            isAsked = true;
            var asked = calendar.Now;
            Flush(() =>
            {
                isAsked = false;
                // Events that are passed but not stored now were passed after this write began.
                oldest = asked;
                Look();
            });
        }
        else if (since + rule.Milliseconds is { } due && due > alarm)
        {
            alarm = due;
            calendar.At(due, Look);
        }
    }

    private void Write()
    {
        if (isWriting)
        {
            return;
        }

        isWriting = true;
        var (position, begun) = (events.Passed, calendar.Now);
        service.Do(1, () => Stored(position, calendar.Now - begun));
    }

    private void Stored(int position, double elapsed)
    {
        isWriting = false;
        tally.Stored(calendar.Now, elapsed / Math.Max(1, position - Confirmed));
        Confirmed = position;
        var done = waiting.FindAll(one => one.Wanted <= position);
        waiting.RemoveAll(one => one.Wanted <= position);
        if (waiting.Count > 0)
        {
            Write();
        }

        done.ForEach(static one => one.Stored());
        Changed();
    }
}
