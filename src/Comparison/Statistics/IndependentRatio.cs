using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>The ratio of two medians whose values are not paired, as those of two comparisons on different days.</summary>
internal static class IndependentRatio
{
    /// <summary>
    /// The ratio of the medians with its bootstrap percentile interval: each side is resampled independently, with its number of values, 10,000 times.
    /// </summary>
    /// <param name="above">The values of the numerator.</param>
    /// <param name="below">The values of the denominator, above 0.</param>
    /// <param name="seed">The seed of the draws.</param>
    /// <returns>Null if either side has no values. Without ends if either has fewer than <see cref="MedianInterval.FewestForInterval"/>.</returns>
    public static MedianInterval? Of(IReadOnlyList<double> above, IReadOnlyList<double> below, long seed)
    {
        if (above.Count == 0 || below.Count == 0)
        {
            return null;
        }

        var fewest = Math.Min(above.Count, below.Count);
        var median = above.Median() / below.Median();
        if (fewest < MedianInterval.FewestForInterval)
        {
            return new(median, null, null, fewest);
        }

        double[] first = [.. above.Order()];
        double[] second = [.. below.Order()];
        var draws = new SeededSequence(seed);
        var ratios = new double[MedianInterval.Resamples];
        for (var index = 0; index < ratios.Length; index++)
        {
            ratios[index] = MedianOfResample(first, draws) / MedianOfResample(second, draws);
        }

        Array.Sort(ratios);
        return new(median, SortedArrayStatistics.Quantile(ratios, 0.025), SortedArrayStatistics.Quantile(ratios, 0.975), fewest);
    }

    private static double MedianOfResample(double[] values, SeededSequence draws)
    {
        var resample = new double[values.Length];
        for (var place = 0; place < resample.Length; place++)
        {
            resample[place] = values[draws.Below(values.Length)];
        }

        return ArrayStatistics.MedianInplace(resample);
    }
}
