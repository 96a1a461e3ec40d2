namespace EventHubThroughput.Strategies;

/// <summary>
/// Whether a lower pace is throttled less, as under a quota it is. A destination that refuses a share of whatever it is sent does so at any pace, and
/// slowing down for it would only end in standing still: that share is then expected, and only what is far more is heeded. Used under its owner's lock.
/// </summary>
/// <param name="leastPace">Slower than this nothing is tried.</param>
internal sealed class PaceEffect(double leastPace)
{
    private const double MuchSlower = 0.25;
    private const double FarFewer = 0.25;
    private const int Enough = 4;

    // Of what is expected: from so much more on, and so many of these, it is no chance. Nor are so many begun without a throttle.
    private const double FarMore = 2;
    private const int NoChance = 8;
    private const double NoLonger = 20;

    // What it is compared with, and what was begun between throttles from that pace on, and at a much slower one.
    private double? first;
    private Between before;
    private Between after;

    // The share that comes at any pace. 0 while no pace was found in vain.
    private double usual;
    private double surplus;
    private long sinceThrottle;

    /// <summary>Counts one that is begun.</summary>
    public void Begun()
    {
        surplus = Math.Max(0, surplus - (FarMore * usual));
        if (++sinceThrottle * usual > NoLonger)
        {
            usual = 0;
        }
    }

    /// <summary>Counts a throttle, and tells whether it is one of those that come at any pace.</summary>
    public bool IsExpected()
    {
        sinceThrottle = 0;
        surplus = Math.Min(NoChance, surplus + 1);
        return usual > 0 && surplus < NoChance;
    }

    /// <summary>Counts a throttle that lowers the pace.</summary>
    /// <param name="pace">Begun a second until now, at most.</param>
    /// <param name="found">In force from now on.</param>
    /// <param name="begun">How many were begun since the throttle before it.</param>
    /// <returns>Where slowing down was in vain, the pace that it began with. Else null.</returns>
    public double? InVainFrom(double pace, double found, int begun)
    {
        var isFirst = first is null;
        first ??= found;
        if (isFirst || pace > Math.Max(leastPace, MuchSlower * first.Value))
        {
            before = before.With(begun);
            return null;
        }

        after = after.With(begun);
        if (after.Throttles < Enough)
        {
            return null;
        }

        var began = first;
        var isInVain = after.Share >= FarFewer * before.Share;
        usual = isInVain ? before.And(after).Share : 0;
        (first, before, after) = (found, after, default);
        return isInVain ? began : null;
    }

    /// <summary>The pace was kept for a while, or nobody knows: from here on it is another comparison.</summary>
    public void StartAnew() => (first, before, after) = (null, default, default);

    private readonly record struct Between(int Throttles, long Begun)
    {
        public double Share => Throttles / (double)Math.Max(1, Begun);

        public Between With(int begun) => new(Throttles + 1, Begun + begun);

        public Between And(Between other) => new(Throttles + other.Throttles, Begun + other.Begun);
    }
}
