namespace EventHubThroughput.Strategies;

/// <summary>
/// Finds the pace (events per second) of a quota. Nothing begins for a moment after a throttle. If another throttle follows soon, the events in between are
/// what the quota has allowed, and the pace is a little less. After a hold the pace grows, twice as far each second, until two throttles show the quota
/// again, or the quota seems gone. If a lower pace is throttled as often, that share of throttles is ignored. Used under its owner's lock.
/// </summary>
/// <param name="timeProvider">The clock.</param>
internal sealed class PaceSearch(TimeProvider timeProvider)
{
    private const double BelowQuota = 0.98;
    private const double Decrease = 0.7;
    private const int MostDoublings = 4;
    private const double FirstGrowth = 0.01;
    private const double Gone = 4;
    private const double LeastPace = 1;
    private const int LeastBegun = 20;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan FirstHold = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan LongestHold = TimeSpan.FromMinutes(4);

    // Timers are late: events that could not begin in time may begin later.
    private static readonly TimeSpan CatchUp = TimeSpan.FromMilliseconds(50);

    // After such a time without a beginning there was no input, or every place waits at the destination. It is then unknown how much of the quota was saved.
    private static readonly TimeSpan Idle = TimeSpan.FromMilliseconds(500);

    private readonly long start = timeProvider.GetTimestamp();
    private readonly PaceEffect effect = new(LeastPace);

    private double? held;
    private TimeSpan hold = FirstHold;
    private TimeSpan next;
    private TimeSpan last;

    // The time of the last throttle, the end of its pause, and since when events have begun without a gap.
    private TimeSpan? throttled;
    private TimeSpan quiet;
    private TimeSpan resumed;
    private int begun;

    // Consecutive throttles, none of them after a hold.
    private int inARow;

    private TimeSpan Now => timeProvider.GetElapsedTime(start);

    /// <summary>The most events that may begin per second. Null without a quota.</summary>
    public double? Pace
    {
        get
        {
            if (held is not { } pace || Now - quiet is var since && since < hold)
            {
                return held;
            }

            return pace * Math.Min(Gone, 1 + (FirstGrowth * Math.Pow(2, (since - hold).TotalSeconds)));
        }
    }

    /// <summary>Counts an event that is about to begin.</summary>
    /// <returns>The wait before it.</returns>
    public TimeSpan Next()
    {
        var now = Now;
        if (now - Max(last, quiet) > Idle)
        {
            (resumed, begun) = (now, 0);
        }

        last = now;
        begun++;
        effect.Begun();
        var pace = Pace;
        if (pace >= Gone * held)
        {
            (pace, held, hold) = (null, null, FirstHold);
        }

        var at = Max(next, now - CatchUp);
        next = at + (pace is { } limit ? TimeSpan.FromSeconds(1 / limit) : TimeSpan.Zero);
        return Max(at - now, TimeSpan.Zero);
    }

    /// <summary>Records that the destination asks to slow down.</summary>
    /// <returns>Whether it changes the pace: a throttle that occurs at any pace counts as a failed try.</returns>
    public bool Throttled()
    {
        var now = Now;
        if (now < quiet)
        {
            // The event began before the pause.
            return true;
        }

        if (effect.IsExpected())
        {
            return false;
        }

        if (Pace is { } pace && pace > held)
        {
            // Only the next throttle shows how much of the quota was saved before.
            held = pace;
            hold = Clamp(hold * 2);
            inARow = 0;
            effect.Restart();
        }
        else if (throttled is { } before && (held is not null || now - before <= Soon) && now > resumed)
        {
            Slow(now, before);
        }

        (throttled, begun, quiet) = (now, 0, now + Pause);
        next = resumed = quiet;
        return true;
    }

    private void Slow(TimeSpan now, TimeSpan before)
    {
        var found = now - before <= Soon ? Math.Max(LeastPace, Allowed(now, before)) : held!.Value;
        // Idle time is not part of a pace.
        var pace = Math.Min(held ?? double.MaxValue, resumed == quiet ? begun / (now - before).TotalSeconds : double.MaxValue);
        hold = found < Decrease * held ? FirstHold : hold;
        if (effect.FindUselessFrom(pace, found, begun) is { } began)
        {
            // It grows from there immediately.
            (found, hold, inARow) = (began, TimeSpan.Zero, 0);
        }

        held = found;
    }

    // The events since the throttle before this one are what the quota has allowed. With consecutive throttles the pace becomes lower each time, in growing
    // steps.
    private double Allowed(TimeSpan now, TimeSpan before)
    {
        if (resumed != quiet || begun < LeastBegun)
        {
            return Decrease * begun / (now - resumed).TotalSeconds;
        }

        var share = Math.Pow(BelowQuota, 1 << inARow);
        inARow = Math.Min(MostDoublings, inARow + 1);
        return share * begun / (now - before).TotalSeconds;
    }

    private static TimeSpan Clamp(TimeSpan time) =>
        time < FirstHold ? FirstHold
        : time < LongestHold ? time
        : LongestHold;

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
