namespace EventHubThroughput.Events;

/// <summary>
/// When each event is meant to be sent. With a rate the times are evenly spaced and fixed beforehand, whatever the replies do
/// (open loop); without one an event is meant to be sent as soon as it can be.
/// </summary>
/// <param name="ratePerSecond">Events per second, above 0, or null.</param>
public sealed class SendSchedule(double? ratePerSecond)
{
    /// <summary>The rate in events per second, or null.</summary>
    public double? RatePerSecond { get; } =
        ratePerSecond is null or > 0 ? ratePerSecond : throw new ArgumentOutOfRangeException(nameof(ratePerSecond), "A rate is above 0.");

    /// <summary>How long after the start the event is meant to be sent; null when there is no rate.</summary>
    /// <param name="index">The event's number in the run, from 0.</param>
    public TimeSpan? OffsetOf(long index) => RatePerSecond is { } rate ? TimeSpan.FromTicks((long)Math.Round(index / rate * TimeSpan.TicksPerSecond)) : null;

    /// <summary>When the event is meant to be sent: by the schedule, or now when there is no rate.</summary>
    /// <param name="index">The event's number in the run, from 0.</param>
    /// <param name="start">When the sending began.</param>
    /// <param name="now">The present time.</param>
    public DateTimeOffset IntendedAt(long index, DateTimeOffset start, DateTimeOffset now) => OffsetOf(index) is { } offset ? start + offset : now;
}
