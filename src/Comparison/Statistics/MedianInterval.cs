using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>A median of rates, or of ratios of rates block by block, with its uncertainty.</summary>
/// <param name="Median">The middle value, or the mean of the middle two.</param>
/// <param name="Low95">The interval's lower end. Null with fewer than <see cref="FewestForInterval"/> values.</param>
/// <param name="High95">The interval's upper end. Null with fewer than <see cref="FewestForInterval"/> values.</param>
/// <param name="Count">The number of values.</param>
internal sealed record MedianInterval(double Median, double? Low95, double? High95, int Count)
{
    /// <summary>With fewer values there is no interval, and a conclusion is only an indication.</summary>
    public const int FewestForInterval = 5;

    /// <summary>The number of resamples.</summary>
    public const int Resamples = 10_000;

    /// <summary>
    /// The median with its bootstrap percentile interval (Efron 1979). The same number of values is drawn with repetition 10,000 times. The interval ends at
    /// the 2.5th and the 97.5th percentile of their medians.
    /// </summary>
    /// <param name="values">The values, in any unit.</param>
    /// <param name="seed">The seed of the draws. The same seed and values give the same interval.</param>
    /// <returns>Null if there are no values.</returns>
    public static MedianInterval? Of(IReadOnlyList<double> values, long seed)
    {
        if (values.Count == 0)
        {
            return null;
        }

        // Sorted, so that the interval does not depend on the order in which the blocks were run.
        double[] sorted = [.. values.Order()];
        var median = SortedArrayStatistics.Median(sorted);
        if (sorted.Length < FewestForInterval)
        {
            return new(median, null, null, sorted.Length);
        }

        var medians = MediansOfResamples(sorted, new SeededSequence(seed));
        return new(median, SortedArrayStatistics.Quantile(medians, 0.025), SortedArrayStatistics.Quantile(medians, 0.975), sorted.Length);
    }

    private static double[] MediansOfResamples(double[] values, SeededSequence draws)
    {
        var medians = new double[Resamples];
        var resample = new double[values.Length];
        for (var index = 0; index < Resamples; index++)
        {
            for (var place = 0; place < resample.Length; place++)
            {
                resample[place] = values[draws.Below(values.Length)];
            }

            medians[index] = ArrayStatistics.MedianInplace(resample);
        }

        Array.Sort(medians);
        return medians;
    }
}
