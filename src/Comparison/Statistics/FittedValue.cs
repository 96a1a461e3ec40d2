using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>A parameter of a curve through measured points.</summary>
/// <param name="Value">The best fit.</param>
/// <param name="Low95">The lower end of its bootstrap interval.</param>
/// <param name="High95">The upper end of its bootstrap interval.</param>
internal sealed record FittedValue(double Value, double Low95, double High95)
{
    /// <summary>The value with the 2.5th and the 97.5th percentile of the resamples.</summary>
    /// <param name="value">The best fit.</param>
    /// <param name="resampled">The fit of each resample. At least one.</param>
    public static FittedValue Of(double value, IEnumerable<double> resampled)
    {
        double[] sorted = [.. resampled.Order()];
        return new(value, SortedArrayStatistics.Quantile(sorted, 0.025), SortedArrayStatistics.Quantile(sorted, 0.975));
    }
}
