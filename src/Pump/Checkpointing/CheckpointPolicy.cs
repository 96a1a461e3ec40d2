namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>Decides when the watermark is due to be stored by count and time. Holds no state: everything it needs is asked of the caller.</summary>
internal sealed class CheckpointPolicy(CheckpointOptions options, TimeProvider timeProvider)
{
    /// <summary>How many passed events make the watermark due by their count.</summary>
    /// <param name="confirmed">The events that the last confirmed checkpoint covers.</param>
    public long DueAt(long confirmed) => options.Events is { } events ? confirmed + events : long.MaxValue;

    /// <summary>How long to wait before the watermark must be stored: zero when it is due, null when nothing will make it due.</summary>
    /// <param name="unconfirmed">Events that the watermark has passed since the last confirmed checkpoint.</param>
    /// <param name="oldest">The raw timestamp at which the first of them was passed.</param>
    public TimeSpan? DueIn(long unconfirmed, long oldest)
    {
        if (unconfirmed <= 0)
        {
            return null;
        }

        if (unconfirmed >= options.Events)
        {
            return TimeSpan.Zero;
        }

        if (options.Interval is not { } interval)
        {
            return null;
        }

        var left = interval - timeProvider.GetElapsedTime(oldest);
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }
}
