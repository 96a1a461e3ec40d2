using MathNet.Numerics.Distributions;

namespace EventHubThroughput.Comparison;

/// <summary>
/// The test of Mann and Whitney (1947), two-sided. It is the probability that values of one sample are above those of the other as clearly as observed, if
/// both had the same distribution.
/// </summary>
internal static class MannWhitney
{
    // Above this number the exact count and the approximation agree.
    private const int MostForExact = 50;

    /// <summary>
    /// The probability p, 0 to 1. It is exact for samples of at most 50 values each without ties. Otherwise it uses the normal distribution with the
    /// corrections for ties and for continuity. Null if either sample is empty.
    /// </summary>
    public static double? TwoSidedP(IReadOnlyList<double> first, IReadOnlyList<double> second)
    {
        if (first.Count == 0 || second.Count == 0)
        {
            return null;
        }

        double[] sorted = [.. first.Concat(second).Order()];
        int[] ties = [.. sorted.CountBy(static value => value).Select(static group => group.Value).Where(static count => count > 1)];
        var wins = first.Sum(one =>
            second.Sum(other =>
                one > other ? 1
                : one == other ? 0.5
                : 0
            )
        );
        return ties.Length == 0 && first.Count <= MostForExact && second.Count <= MostForExact
            ? ExactP((int)wins, first.Count, second.Count)
            : ApproximateP(wins, first.Count, second.Count, ties);
    }

    private static double ExactP(int wins, int first, int second)
    {
        // How many orders of the two samples have each number of wins. The largest value belongs to the first sample and wins against all of the second, or
        // belongs to the second and wins against none.
        var counts = new double[first + 1][];
        for (var mine = 0; mine <= first; mine++)
        {
            counts[mine] = new double[(first * second) + 1];
            counts[mine][0] = 1;
        }

        for (var others = 1; others <= second; others++)
        {
            for (var mine = 1; mine <= first; mine++)
            {
                // The present value is for one fewer of the others. With all of them above it, it keeps its wins.
                for (var sum = mine * others; sum >= others; sum--)
                {
                    counts[mine][sum] += counts[mine - 1][sum - others];
                }
            }
        }

        var tail = Math.Min(wins, (first * second) - wins);
        return Math.Min(1, 2 * counts[first].Take(tail + 1).Sum() / counts[first].Sum());
    }

    private static double ApproximateP(double wins, int first, int second, int[] ties)
    {
        double all = first + second;
        var product = (double)first * second;
        var tied = ties.Sum(static count => ((double)count * count * count) - count);
        var variance = product / 12 * (all + 1 - (tied / (all * (all - 1))));
        var distance = Math.Max(0, Math.Abs(wins - (product / 2)) - 0.5);
        return variance > 0 ? 2 * Normal.CDF(0, 1, -distance / Math.Sqrt(variance)) : 1;
    }
}
