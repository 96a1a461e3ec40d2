using System.Globalization;

namespace EventHubThroughput.Workload;

/// <summary>
/// Draws the partition key of each event at random. The key of rank r (from 1) has a probability proportional to 1 / r^s (Zipf). Without skew (s = 0) all
/// keys are equally frequent. Keys in turn would never collide, as real keys do, and would favour strategies that keep their order.
/// </summary>
public sealed class KeyDistribution
{
    /// <summary>The largest number of keys.</summary>
    public const int MostKeys = 1_000_000;

    private readonly int count;
    private readonly long seed;

    // The cumulative probability up to and including each rank. Null without skew.
    private readonly double[]? cumulative;

    /// <summary>Creates the distribution.</summary>
    /// <param name="count">The number of keys, at most <see cref="MostKeys"/>. 0 gives events without a key.</param>
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

    /// <summary>The key of an event, or null if there are no keys.</summary>
    /// <param name="index">The event's number in the run.</param>
    public string? GetKey(long index) => count == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"key-{GetRank(index)}");

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

    private long GetRank(long index)
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
