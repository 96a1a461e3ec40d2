namespace EventHubThroughput.Model.Simulating;

/// <summary>The events of a partition, by their number from 0: when each was handed over and begun, and how far all are complete.</summary>
/// <param name="calendar">The time.</param>
/// <param name="tally">Told of every beginning and completion.</param>
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

    /// <summary>Hands over so many more.</summary>
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
    public double AgeOf(int number) => calendar.Now - events[number].HandedOver;

    /// <summary>The first write of an event begins. Of the others nothing is noted.</summary>
    public void Begin(int number)
    {
        if (events[number].Begun < 0)
        {
            events[number] = events[number] with { Begun = calendar.Now };
            tally.Begun(calendar.Now);
        }
    }

    /// <summary>Every sink has the event.</summary>
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
