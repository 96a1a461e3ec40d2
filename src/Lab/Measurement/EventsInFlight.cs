namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The events in flight of one ownership, counted over time. Their number is not computed from how long each of them took. Little's law is checked against it.
/// One caller at a time, as the moments of an ownership are reported. No call allocates.
/// </summary>
internal sealed class EventsInFlight
{
    private int events;
    private long since;
    private MeasuredSection? section;

    /// <summary>An event has begun.</summary>
    /// <param name="inFlight">The events in flight now, as the ownership counts them: some leave without being complete.</param>
    /// <param name="now">Now, by the clock's raw timestamp.</param>
    /// <param name="recorded">The section that counts the time until now, unless it belongs to the section before.</param>
    public void Begun(int inFlight, long now, MeasuredSection recorded)
    {
        Count(now, recorded);
        events = inFlight;
    }

    /// <summary>An event is complete.</summary>
    /// <param name="now">Now, by the clock's raw timestamp.</param>
    /// <param name="recorded">The section that counts the time until now, unless it belongs to the section before.</param>
    public void Completed(long now, MeasuredSection recorded)
    {
        Count(now, recorded);
        events = Math.Max(0, events - 1);
    }

    private void Count(long now, MeasuredSection recorded)
    {
        if (section != recorded)
        {
            section?.EventsHeld(events, since, Math.Min(now, recorded.StartedAt));
            section = recorded;
        }

        recorded.EventsHeld(events, since, now);
        since = now;
    }
}
