namespace EventHubThroughput.Strategies;

/// <summary>
/// Finds how many a second a quota allows. Nothing is begun for a moment after a throttle. Of two throttles soon after one another, what was begun
/// between them is what the quota has given, and a little less is the pace. After a hold it grows, twice as far each second, until two throttles tell
/// the quota anew, or until it seems gone. Where a lower pace is throttled as often, that share of throttles is not heeded any more.
/// Used under its owner's lock.
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

    // Timers are late: what could not be begun in time may be made up for.
    private static readonly TimeSpan CatchUp = TimeSpan.FromMilliseconds(50);

    // So long without a beginning: there was no input, or every place waits for its turn at the destination. Nobody knows what was saved then.
    private static readonly TimeSpan Idle = TimeSpan.FromMilliseconds(500);

    private readonly long start = timeProvider.GetTimestamp();
    private readonly PaceEffect effect = new(LeastPace);

    private double? held;
    private TimeSpan hold = FirstHold;
    private TimeSpan next;
    private TimeSpan last;

    // Of the last throttle, the end of its pause, and from where on it was begun without a gap.
    private TimeSpan? throttled;
    private TimeSpan quiet;
    private TimeSpan resumed;
    private int begun;

    // Throttles in a row, none of them after a hold.
    private int inARow;

    private TimeSpan Now => timeProvider.GetElapsedTime(start);

    /// <summary>Begun a second at most. Null without a quota.</summary>
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

    /// <summary>Counts one that is to begin.</summary>
    /// <returns>After how long.</returns>
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

    /// <summary>The destination asks to slow down.</summary>
    /// <returns>Whether it is heeded: a throttle that no pace avoids is a try that failed.</returns>
    public bool Throttled()
    {
        var now = Now;
        if (now < quiet)
        {
            // Begun before the pause.
            return true;
        }

        if (effect.IsExpected())
        {
            return false;
        }

        if (Pace is { } pace && pace > held)
        {
            // Only the next one will tell how much of it was saved before.
            held = pace;
            hold = Clamp(hold * 2);
            inARow = 0;
            effect.StartAnew();
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
        // Idle time is nobody's pace.
        var pace = Math.Min(held ?? double.MaxValue, resumed == quiet ? begun / (now - before).TotalSeconds : double.MaxValue);
        hold = found < Decrease * held ? FirstHold : hold;
        if (effect.InVainFrom(pace, found, begun) is { } began)
        {
            // It grows from there at once.
            (found, hold, inARow) = (began, TimeSpan.Zero, 0);
        }

        held = found;
    }

    // What was begun since the throttle before this one is what the quota has given. Where they follow each other, a little less each time, and more of it.
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
