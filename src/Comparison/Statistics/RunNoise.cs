using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// How much single runs scatter: their coefficient of variation (standard deviation / mean), as baseline shows it from block to block and as the
/// ratios of a pair do.
/// </summary>
/// <param name="RatioCv">That of the ratios, as a run CV. Null with fewer than 2 blocks.</param>
/// <param name="BaselineCv">That of baseline's runs. Null with fewer than 2.</param>
/// <param name="IsTooLarge">Whether the data contradict a run CV of at most 3 %.</param>
/// <remarks>
/// The rule. Ten blocks find a slowdown of 10 % up to a run CV of 3 %, so that is what a gate permits. A CV that is estimated from few runs scatters
/// itself: a limit of 3 % would call half of the comparisons noisy whose runs truly scatter by 3 %. So it is the data's CV that must exceed what runs
/// of 3 % show in 199 of 200 comparisons (chi-squared distribution): 4.3 % for 20 runs of baseline, 4.9 % for the ratios of 10 blocks. A ratio
/// scatters more than a run, by sqrt(1/a + 1/b) if a and b runs of a block stand in it: 1.22 to baseline, which runs twice, 1.41 otherwise. It is
/// divided by that. What a gate makes of it stands at <see cref="SlowdownGate"/>. A comparison keeps the words of differences that show through
/// (<see cref="ConclusionRule"/>).
/// </remarks>
internal sealed record RunNoise(double? RatioCv, double? BaselineCv, bool IsTooLarge)
{
    /// <summary>The largest true run CV that permits a verdict of a gate.</summary>
    public const double MostRunCv = 0.03;

    // How sure the data must be that it is exceeded. Both CVs are asked, so that at most one comparison in a hundred is refused by chance.
    private const double Confidence = 0.995;

    /// <summary>What the ratios of a pair and baseline's runs show.</summary>
    /// <param name="ratios">Block by block.</param>
    /// <param name="runsInRatio">1 / a + 1 / b, if a and b runs of a block stand above and below the line.</param>
    /// <param name="baselineRuns">The rates of baseline in the blocks that count, in events per second.</param>
    public static RunNoise Of(IReadOnlyList<double> ratios, double runsInRatio, IReadOnlyList<double> baselineRuns)
    {
        var ratioCv = CvOf(ratios) / Math.Sqrt(runsInRatio);
        var baselineCv = CvOf(baselineRuns);
        return new(ratioCv, baselineCv, Exceeds(ratioCv, ratios.Count) || Exceeds(baselineCv, baselineRuns.Count));
    }

    /// <summary>The largest CV that does not contradict 3 %.</summary>
    /// <param name="count">How many values it was estimated from, at least 2.</param>
    public static double LimitFor(int count) => MostRunCv * Math.Sqrt(ChiSquared.InvCDF(count - 1, Confidence) / (count - 1));

    private static bool Exceeds(double? cv, int count) => cv is { } known && known > LimitFor(count);

    private static double? CvOf(IReadOnlyList<double> values) => values.Count < 2 ? null : values.StandardDeviation() / values.Mean();
}
