namespace EventHubThroughput.Workload;

/// <summary>
/// When each event is meant to be sent. With rates the times are fixed beforehand, whatever the replies do (open loop): evenly spaced by the
/// rate in force, of which there may be another one from a time on. Without any an event is meant to be sent as soon as it can be.
/// </summary>
public sealed class SendSchedule
{
    private readonly Step[] steps;

    /// <param name="rates">
    /// Events per second, above 0, each from a time after the start on: the first one from zero, the others in the order of their times. Null for no schedule.
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

    /// <summary>How long after the start the event is meant to be sent. Null when there is no rate.</summary>
    /// <param name="index">The event's number in the run, from 0.</param>
    public TimeSpan? OffsetOf(long index)
    {
        if (steps.Length == 0)
        {
            return null;
        }

        var step = Array.FindLast(steps, step => step.Events <= index);
        return step.From + TimeSpan.FromTicks((long)Math.Round((index - step.Events) / step.PerSecond * TimeSpan.TicksPerSecond));
    }

    /// <summary>How many events are meant to be sent before that much time has passed. Null when there is no rate.</summary>
    /// <param name="time">Since the start, from zero on.</param>
    public long? EventsBefore(TimeSpan time)
    {
        if (steps.Length == 0)
        {
            return null;
        }

        var step = Array.FindLast(steps, step => step.From <= time);
        return (long)Math.Ceiling(step.Events + (step.PerSecond * (time - step.From).TotalSeconds));
    }

    /// <summary>The mean rate at which so many events are meant to be sent, in events per second. Null when there is no rate.</summary>
    /// <param name="events">How many, 1 at least.</param>
    public double? MeanRate(long events) => OffsetOf(events) is { } offset ? events / offset.TotalSeconds : null;

    /// <summary>When the event is meant to be sent: by the schedule, or now when there is no rate.</summary>
    /// <param name="index">The event's number in the run, from 0.</param>
    /// <param name="start">When the sending began.</param>
    /// <param name="now">The present time.</param>
    public DateTimeOffset IntendedAt(long index, DateTimeOffset start, DateTimeOffset now) => OffsetOf(index) is { } offset ? start + offset : now;

    // Events is how many are meant to be sent before it.
    private readonly record struct Step(double PerSecond, TimeSpan From, double Events);
}
