using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// Which blocks count. A block is discarded, and replaced by whoever runs them, when its two baselines differ by more than 5 %; when more than a third are,
/// the whole comparison is noisy.
/// </summary>
/// <remarks>
/// Two runs also differ by chance: at a run CV of 3 %, which the statistics must bear, 24 % of the blocks differ by more than 5 %, and 13 of 100
/// comparisons of ten blocks would be called noisy for it (1.6 % of them at 2.4 %; simulated). So a discarded block counts towards the
/// third only if its drift exceeds twice the scatter of all drifts about their median as well; below a run CV of 1.8 % that is the 5 %.
/// Whether chance itself is too large is for <see cref="RunNoise"/> to say.
/// </remarks>
internal static class DriftRule
{
    /// <summary>The largest difference of the two baselines of a block that counts, as a share of the first.</summary>
    public const double MostDrift = 0.05;

    /// <summary>The largest share of blocks that may be discarded for their drift.</summary>
    public const double MostDiscarded = 1.0 / 3;

    // With fewer drifts their scatter is not known, and the limit is 5 %.
    private const int FewestForScatter = 5;
    private const double Scatters = 2;

    // Of a normal distribution the median distance from the median is 0.6745 standard deviations.
    private const double DeviationsPerMedianDistance = 1.4826;

    /// <summary>Whether a block counts: both of its baselines are ok and their drift is at most 5 %.</summary>
    public static bool Keeps(Block block, string baseline) => block.DriftOf(baseline) is { } drift && Math.Abs(drift) <= MostDrift;

    /// <summary>Whether more than a third of the blocks drifted. A block whose baseline is not ok has no drift, and counts as run.</summary>
    /// <param name="blocks">All that were run, replaced ones too.</param>
    /// <param name="baseline">The label of baseline.</param>
    public static bool FindsNoise(IReadOnlyCollection<Block> blocks, string baseline)
    {
        double[] drifts = [.. blocks.Select(block => block.DriftOf(baseline)).OfType<double>()];
        var limit = LimitFor(drifts);
        return drifts.Count(drift => Math.Abs(drift) > limit) > MostDiscarded * blocks.Count;
    }

    private static double LimitFor(double[] drifts)
    {
        if (drifts.Length < FewestForScatter)
        {
            return MostDrift;
        }

        var middle = drifts.Median();
        return Math.Max(MostDrift, Scatters * DeviationsPerMedianDistance * drifts.Select(drift => Math.Abs(drift - middle)).Median());
    }
}
