using System.Globalization;

namespace EventHubThroughput.Workload;

/// <summary>
/// Which partition key each event gets, drawn at random: the key of rank r (from 1) with a probability in proportion to 1 / r^s (Zipf), so that
/// without skew, s = 0, all are equally frequent. Keys in turn would never meet, as real ones do, and flatter whatever keeps their order.
/// </summary>
public sealed class KeyDistribution
{
    /// <summary>The largest number of keys.</summary>
    public const int MostKeys = 1_000_000;

    private readonly int count;
    private readonly long seed;

    // Probability of a rank up to and including this one. Null without skew.
    private readonly double[]? cumulative;

    /// <summary>Prepares the draw.</summary>
    /// <param name="count">How many keys. 0 gives events without a key. At most <see cref="MostKeys"/>.</param>
    /// <param name="skew">The exponent, 0 to 10.</param>
    /// <param name="seed">The seed of the draw.</param>
    public KeyDistribution(int count, double skew, long seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, MostKeys);
        ArgumentOutOfRangeException.ThrowIfNegative(skew);
        this.count = count;
        this.seed = seed;
        cumulative = skew > 0 && count > 0 ? Cumulate(count, skew) : null;
    }

    /// <summary>The key of an event, or null when there are no keys.</summary>
    /// <param name="index">The event's number in the run.</param>
    public string? KeyOf(long index) => count == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"key-{RankOf(index)}");

    /// <summary>The share of the most frequent key, 0 without keys.</summary>
    public double HottestShare => count == 0 ? 0 : cumulative?[0] ?? 1.0 / count;

    private static double[] Cumulate(int count, double skew)
    {
        var sums = new double[count];
        var sum = 0.0;
        for (var rank = 0; rank < count; rank++)
        {
            sum += Math.Pow(rank + 1, -skew);
            sums[rank] = sum;
        }

        for (var rank = 0; rank < count; rank++)
        {
            sums[rank] /= sum;
        }

        return sums;
    }

    private long RankOf(long index)
    {
        var fraction = SeededDraw.Fraction(seed, index);
        if (cumulative is null)
        {
            return (long)(fraction * count);
        }

        var found = Array.BinarySearch(cumulative, fraction);
        return Math.Min(found < 0 ? ~found : found + 1, count - 1);
    }
}
