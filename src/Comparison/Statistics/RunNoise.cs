using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// The scatter of single runs: their coefficient of variation (standard deviation / mean), from baseline over all blocks and from the ratios of a pair.
/// </summary>
/// <param name="RatioCv">That of the ratios, as a run CV. Null with fewer than 2 blocks.</param>
/// <param name="BaselineCv">That of baseline's runs. Null with fewer than 2.</param>
/// <param name="IsTooLarge">Whether the data contradict a run CV of at most 3 %.</param>
/// <remarks>
/// The rule. Ten blocks find a slowdown of 10 % up to a run CV of 3 %, so a gate permits that value. A CV that is estimated from few runs is itself
/// uncertain. With a limit of 3 %, half of the comparisons whose runs truly scatter by 3 % would be noisy. So the CV of the data must exceed what runs of 3 %
/// show in 199 of 200 comparisons (chi-squared distribution). That is 4.3 % for 20 runs of baseline, and 4.9 % for the ratios of 10 blocks. A ratio scatters
/// more than a run, by sqrt(1/a + 1/b) if it has a and b runs of a block. The factor is 1.22 to baseline, which runs twice, and 1.41 otherwise. The CV of the
/// ratios is divided by it. <see cref="SlowdownGate"/> has the consequence for a gate. A comparison keeps the words of differences that are visible
/// nevertheless (<see cref="ConclusionRule"/>).
/// </remarks>
internal sealed record RunNoise(double? RatioCv, double? BaselineCv, bool IsTooLarge)
{
    /// <summary>The largest true run CV that permits a verdict of a gate.</summary>
    public const double MostRunCv = 0.03;

    // The confidence with which the data must exceed the limit. Both CVs are checked, so that at most one comparison in a hundred is refused by chance.
    private const double Confidence = 0.995;

    /// <summary>Computes the noise from the ratios of a pair and baseline's runs.</summary>
    /// <param name="ratios">The ratios, block by block.</param>
    /// <param name="runsInRatio">1 / a + 1 / b, if the numerator has a and the denominator b runs of a block.</param>
    /// <param name="baselineRuns">The rates of baseline in the blocks that count, in events per second.</param>
    public static RunNoise Of(IReadOnlyList<double> ratios, double runsInRatio, IReadOnlyList<double> baselineRuns)
    {
        var ratioCv = GetVariation(ratios) / Math.Sqrt(runsInRatio);
        var baselineCv = GetVariation(baselineRuns);
        return new(ratioCv, baselineCv, Exceeds(ratioCv, ratios.Count) || Exceeds(baselineCv, baselineRuns.Count));
    }

    /// <summary>The largest CV that does not contradict 3 %.</summary>
    /// <param name="count">The number of values of the estimate, at least 2.</param>
    public static double LimitFor(int count) => MostRunCv * Math.Sqrt(ChiSquared.InvCDF(count - 1, Confidence) / (count - 1));

    private static bool Exceeds(double? cv, int count) => cv is { } known && known > LimitFor(count);

    private static double? GetVariation(IReadOnlyList<double> values) => values.Count < 2 ? null : values.StandardDeviation() / values.Mean();
}
