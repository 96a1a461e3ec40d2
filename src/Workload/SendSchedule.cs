namespace EventHubThroughput.Workload;

/// <summary>
/// The scheduled send time of each event. With rates, the times are fixed before the start and do not depend on replies (open loop). They are evenly
/// spaced by the rate in force, which may change at given times. Without rates, an event is sent as soon as possible.
/// </summary>
public sealed class SendSchedule
{
    private readonly Step[] steps;

    /// <param name="rates">
    /// Events per second, above 0, each with the time after the start from which it applies. The first begins at zero, and the times rise. Null for no schedule.
    /// </param>
    public SendSchedule(IReadOnlyList<(double PerSecond, TimeSpan From)>? rates)
    {
        steps = new Step[rates?.Count ?? 0];
        for (var place = 0; place < steps.Length; place++)
        {
            var (rate, from) = rates![place];
            var before = place == 0 ? default : steps[place - 1];
            if (rate is not > 0 || (place == 0 ? from != TimeSpan.Zero : from <= before.From))
            {
                throw new ArgumentOutOfRangeException(nameof(rates), "A rate must be above 0, the first rate applies from the start, and times must rise.");
            }

            steps[place] = new Step(rate, from, before.Events + (before.PerSecond * (from - before.From).TotalSeconds));
        }
    }

    /// <summary>The scheduled send time of the event, as time after the start. Null if there is no rate.</summary>
    /// <param name="index">The event's number in the run, from 0.</param>
    public TimeSpan? GetOffset(long index)
    {
        if (steps.Length == 0)
        {
            return null;
        }

        var step = Array.FindLast(steps, step => step.Events <= index);
        return step.From + TimeSpan.FromTicks((long)Math.Round((index - step.Events) / step.PerSecond * TimeSpan.TicksPerSecond));
    }

    /// <summary>The number of events that are scheduled before a time. Null if there is no rate.</summary>
    /// <param name="time">The time since the start, at least zero.</param>
    public long? EventsBefore(TimeSpan time)
    {
        if (steps.Length == 0)
        {
            return null;
        }

        var step = Array.FindLast(steps, step => step.From <= time);
        return (long)Math.Ceiling(step.Events + (step.PerSecond * (time - step.From).TotalSeconds));
    }

    /// <summary>The mean rate of the first events of the schedule, in events per second. Null if there is no rate.</summary>
    /// <param name="events">The number of events, at least 1.</param>
    public double? MeanRate(long events) => GetOffset(events) is { } offset ? events / offset.TotalSeconds : null;

    /// <summary>The scheduled send time of the event, or the current time if there is no rate.</summary>
    /// <param name="index">The event's number in the run, from 0.</param>
    /// <param name="start">When the sending began.</param>
    /// <param name="now">The current time.</param>
    public DateTimeOffset IntendedAt(long index, DateTimeOffset start, DateTimeOffset now) => GetOffset(index) is { } offset ? start + offset : now;

    // Events is the number of events that are scheduled before the step.
    private readonly record struct Step(double PerSecond, TimeSpan From, double Events);
}
