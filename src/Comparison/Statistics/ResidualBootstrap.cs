using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// Alternative sets of rates that could have been measured: those of a fitted curve, each with the deviation of another point. A sweep measures each degree
/// too few times to resample its runs.
/// </summary>
internal static class ResidualBootstrap
{
    /// <summary>The number of resamples.</summary>
    public const int Resamples = 1_000;

    /// <summary>Creates sets of figures at the same degrees.</summary>
    /// <param name="measured">The figures that were fitted.</param>
    /// <param name="fitted">The rates of the curve at their degrees, in events per second.</param>
    /// <param name="parameters">How many parameters of the curve the figures have determined. It is less than the number of figures.</param>
    /// <param name="seed">The seed of the draws.</param>
    public static IEnumerable<DegreeFigure[]> Draw(IReadOnlyList<DegreeFigure> measured, IReadOnlyList<double> fitted, int parameters, long seed)
    {
        double[] deviations = [.. measured.Zip(fitted, static (figure, rate) => Math.Log(figure.Rate / rate))];
        var mean = deviations.Mean();
        var scale = ScaleFor(measured.Count, parameters);
        var draws = new SeededSequence(seed);
        for (var resample = 0; resample < Resamples; resample++)
        {
            yield return
            [
                .. measured.Select(
                    (figure, place) => figure with { Rate = fitted[place] * Math.Exp(scale * (deviations[draws.Below(deviations.Length)] - mean)) }
                ),
            ];
        }
    }

    // The curve is closer to the points that it was fitted to than to others. A spread that was estimated from few points is itself uncertain. The quotient
    // of the two quantiles widens the percentile interval to that of Student's distribution.
    private static double ScaleFor(int count, int parameters)
    {
        var freedom = count - parameters;
        return Math.Sqrt((double)count / freedom) * StudentT.InvCDF(0, 1, freedom, 0.975) / Normal.InvCDF(0, 1, 0.975);
    }
}
