namespace EventHubThroughput.Strategies;

/// <summary>
/// Decides whether a lower pace reduces throttling, as under a quota. Some destinations refuse a share of all requests at any pace. Slowing down for that
/// would end in no progress, so that share is expected, and only much more than it counts. Used under its owner's lock.
/// </summary>
/// <param name="leastPace">The lowest pace that is tried.</param>
internal sealed class PaceEffect(double leastPace)
{
    private const double MuchSlower = 0.25;
    private const double FarFewer = 0.25;
    private const int Enough = 4;

    // The limits of the expected share: this factor above it, and this many surplus throttles, are not chance. The last value is the number of expected
    // throttles that must be missing before the share is forgotten.
    private const double FarMore = 2;
    private const int NoChance = 8;
    private const double NoLonger = 20;

    // The pace to compare with, and the counts between throttles: from that pace on, and at a much lower one.
    private double? first;
    private Between before;
    private Between after;

    // The share of throttles at any pace. 0 unless slowing down was useless.
    private double usual;
    private double surplus;
    private long sinceThrottle;

    /// <summary>Counts an event that begins.</summary>
    public void Begun()
    {
        surplus = Math.Max(0, surplus - (FarMore * usual));
        if (++sinceThrottle * usual > NoLonger)
        {
            usual = 0;
        }
    }

    /// <summary>Counts a throttle. Returns whether it is one of those that occur at any pace.</summary>
    public bool IsExpected()
    {
        sinceThrottle = 0;
        surplus = Math.Min(NoChance, surplus + 1);
        return usual > 0 && surplus < NoChance;
    }

    /// <summary>Counts a throttle that lowers the pace.</summary>
    /// <param name="pace">The highest number of begun events per second until now.</param>
    /// <param name="found">The pace from now on.</param>
    /// <param name="begun">The number of events that began since the throttle before.</param>
    /// <returns>If slowing down was useless, the pace at which it began. Else null.</returns>
    public double? FindUselessFrom(double pace, double found, int begun)
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
        var isTooEarly = after.Share >= FarFewer * before.Share;
        usual = isTooEarly ? before.And(after).Share : 0;
        (first, before, after) = (found, after, default);
        return isTooEarly ? began : null;
    }

    /// <summary>After the pace was kept for a while, or the state is unknown, a new comparison begins.</summary>
    public void Restart() => (first, before, after) = (null, default, default);

    private readonly record struct Between(int Throttles, long Begun)
    {
        public double Share => Throttles / (double)Math.Max(1, Begun);

        public Between With(int begun) => new(Throttles + 1, Begun + begun);

        public Between And(Between other) => new(Throttles + other.Throttles, Begun + other.Begun);
    }
}
