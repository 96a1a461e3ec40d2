namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>A clock whose time of day may be wrong. Durations are those of the inner clock.</summary>
internal sealed class SkewedClock(TimeProvider inner, FaultEngine faults) : TimeProvider
{
    public override long TimestampFrequency => inner.TimestampFrequency;

    public override TimeZoneInfo LocalTimeZone => inner.LocalTimeZone;

    public override DateTimeOffset GetUtcNow() => faults.HasNoFaults ? inner.GetUtcNow() : inner.GetUtcNow() + faults.Skew();

    public override long GetTimestamp() => inner.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        inner.CreateTimer(callback, state, dueTime, period);
}
