namespace EventHubThroughput.Model.Simulating;

/// <summary>The events of a partition, by number from 0: when each was handed over and begun, and the low watermark.</summary>
/// <param name="calendar">The virtual time.</param>
/// <param name="tally">Receives every beginning and completion.</param>
internal sealed class SimulatedEvents(Calendar calendar, SimulationCounters tally)
{
    private const double NotBegun = -1;

    private Moments[] events = new Moments[1_024];

    /// <summary>Events handed over.</summary>
    public int HandedOver { get; private set; }

    /// <summary>Those that the low watermark has passed: all of them are complete.</summary>
    public int Passed { get; private set; }

    /// <summary>Called when the watermark has moved.</summary>
    public Action Moved { get; set; } = static () => { };

    /// <summary>Hands over this number of further events.</summary>
    public void HandOver(int count)
    {
        if (HandedOver + count > events.Length)
        {
            Array.Resize(ref events, 2 * Math.Max(events.Length, HandedOver + count));
        }

        events.AsSpan(HandedOver, count).Fill(new Moments(calendar.Now, NotBegun, IsComplete: false));
        HandedOver += count;
    }

    /// <summary>How long an event has waited since it was handed over, in milliseconds.</summary>
    public double GetAge(int number) => calendar.Now - events[number].HandedOver;

    /// <summary>Records that the first write of an event begins. Later writes are not recorded.</summary>
    public void Begin(int number)
    {
        if (events[number].Begun < 0)
        {
            events[number] = events[number] with { Begun = calendar.Now };
            tally.Begun(calendar.Now);
        }
    }

    /// <summary>Records that every sink has the event.</summary>
    public void Complete(int number)
    {
        var completed = events[number];
        events[number] = completed with { IsComplete = true };
        tally.Completed(calendar.Now, completed.HandedOver, completed.Begun);
        var before = Passed;
        while (Passed < HandedOver && events[Passed].IsComplete)
        {
            Passed++;
        }

        if (Passed > before)
        {
            Moved();
        }
    }

    private readonly record struct Moments(double HandedOver, double Begun, bool IsComplete);
}
