using MathNet.Numerics.Distributions;

namespace EventHubThroughput.Comparison;

/// <summary>The test of Mann (1945) and Kendall for a trend: how often values in random order would increase, or decrease, as steadily as these.</summary>
internal static class MannKendall
{
    // Above this number the exact count and the approximation agree.
    private const int MostForExact = 40;

    /// <summary>
    /// The probability p, 0 to 1, two-sided. It is exact for at most 40 values without ties. Otherwise it uses the normal distribution with the corrections
    /// for ties and for continuity. Fewer than 3 values show no trend: 1.
    /// </summary>
    public static double TwoSidedP(IReadOnlyList<double> values)
    {
        if (values.Count < 3)
        {
            return 1;
        }

        var rises = 0;
        for (var later = 1; later < values.Count; later++)
        {
            for (var earlier = 0; earlier < later; earlier++)
            {
                rises += Math.Sign(values[later] - values[earlier]);
            }
        }

        int[] ties = [.. values.CountBy(static value => value).Select(static group => group.Value).Where(static count => count > 1)];
        return ties.Length == 0 && values.Count <= MostForExact ? ExactP(rises, values.Count) : ApproximateP(rises, values.Count, ties);
    }

    private static double ExactP(int rises, int count)
    {
        // For each number of falling pairs its share of all orders. The k-th value adds 0 to k - 1 of them with equal frequency.
        double[] shares = [1];
        for (var place = 2; place <= count; place++)
        {
            var next = new double[shares.Length + place - 1];
            for (var falls = 0; falls < shares.Length; falls++)
            {
                for (var more = 0; more < place; more++)
                {
                    next[falls + more] += shares[falls] / place;
                }
            }

            shares = next;
        }

        var pairs = count * (count - 1) / 2;
        return Math.Min(1, 2 * shares.Take(((pairs - Math.Abs(rises)) / 2) + 1).Sum());
    }

    private static double ApproximateP(int rises, int count, int[] ties)
    {
        var variance = (Spread(count) - ties.Sum(Spread)) / 18;
        return variance > 0 ? 2 * Normal.CDF(0, 1, -Math.Max(0, Math.Abs(rises) - 1) / Math.Sqrt(variance)) : 1;

        static double Spread(int of) => (double)of * (of - 1) * ((2.0 * of) + 5);
    }
}
