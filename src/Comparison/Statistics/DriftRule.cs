using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// Which blocks count. A block is discarded, and replaced by whoever runs them, when its two baselines differ by more than 5 %. When more than a third are,
/// the whole comparison is noisy.
/// </summary>
/// <remarks>
/// Two runs also differ by chance: at a run CV of 3 %, which the statistics must bear, 24 % of the blocks differ by more than 5 %, and 14 of 100
/// comparisons of ten blocks would be called noisy for it (simulated). So a discarded block counts towards the third only if its drift exceeds twice the
/// scatter of all drifts about their median as well, but no more than twice what a run CV of 3 % explains, 8.5 %. Below a run CV of 1.8 % that is
/// the 5 %. The excuse holds while five blocks are left. Whether chance itself is too large is for <see cref="RunNoise"/> to say.
/// </remarks>
internal static class DriftRule
{
    /// <summary>The largest difference of the two baselines of a block that counts, as a share of the first.</summary>
    public const double MostDrift = 0.05;

    /// <summary>The largest share of blocks that may be discarded for their drift.</summary>
    public const double MostDiscarded = 1.0 / 3;

    // With fewer drifts their scatter is not known. With fewer blocks there is no interval.
    private const int FewestForChance = MedianInterval.FewestForInterval;
    private const double Scatters = 2;

    // Of a normal distribution the median distance from the median is 0.6745 standard deviations.
    private const double DeviationsPerMedianDistance = 1.4826;

    /// <summary>Whether a block counts: both of its baselines are ok and their drift is at most 5 %.</summary>
    public static bool Keeps(Block block, string baseline) => block.DriftOf(baseline) is { } drift && Math.Abs(drift) <= MostDrift;

    /// <summary>Whether a block counts where so many were asked for: with so few that there is no interval, nothing is more than an indication, and each does.</summary>
    public static bool Counts(Block block, string baseline, int wanted) => wanted < MedianInterval.FewestForInterval || Keeps(block, baseline);

    /// <summary>Whether to run another block: fewer count than are wanted, and no more than twice as many were run.</summary>
    /// <param name="run">How many were run so far.</param>
    /// <param name="counting">How many of them count.</param>
    /// <param name="wanted">How many shall count, from 1.</param>
    public static bool WantsAnother(int run, int counting, int wanted) => run < MostBlocks(wanted) && counting < wanted;

    /// <summary>How many blocks are run at most, those included that are discarded.</summary>
    /// <param name="wanted">How many blocks shall count, from 1.</param>
    public static int MostBlocks(int wanted) => wanted < MedianInterval.FewestForInterval ? wanted : 2 * wanted;

    /// <summary>Whether more than a third of the blocks are discarded for their drift, be it chance or not. A block whose baseline is not ok has no
    /// drift, and counts as run.</summary>
    /// <param name="blocks">All that were run, replaced ones too.</param>
    /// <param name="baseline">The label of baseline.</param>
    public static bool DiscardsTooMany(IReadOnlyCollection<Block> blocks, string baseline) =>
        CountAbove(MostDrift, DriftsOf(blocks, baseline)) > MostDiscarded * blocks.Count;

    /// <summary>Whether so many are discarded, and more than chance explains, that nothing may be said.</summary>
    /// <param name="blocks">All that were run, replaced ones too.</param>
    /// <param name="baseline">The label of baseline.</param>
    public static bool FindsNoise(IReadOnlyCollection<Block> blocks, string baseline)
    {
        var drifts = DriftsOf(blocks, baseline);
        var kept = drifts.Length - CountAbove(MostDrift, drifts);
        return CountAbove(kept < FewestForChance ? MostDrift : LimitFor(drifts), drifts) > MostDiscarded * blocks.Count;
    }

    private static double[] DriftsOf(IEnumerable<Block> blocks, string baseline) => [.. blocks.Select(block => block.DriftOf(baseline)).OfType<double>()];

    private static int CountAbove(double limit, double[] drifts) => drifts.Count(drift => Math.Abs(drift) > limit);

    private static double LimitFor(double[] drifts)
    {
        var middle = drifts.Median();
        var scatter = DeviationsPerMedianDistance * drifts.Select(drift => Math.Abs(drift - middle)).Median();
        // Of the quotient of two runs.
        var mostScatter = Math.Sqrt(2) * RunNoise.MostRunCv;
        return Math.Max(MostDrift, Scatters * Math.Min(scatter, mostScatter));
    }
}
