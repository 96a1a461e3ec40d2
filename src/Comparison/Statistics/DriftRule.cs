using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Comparison;

/// <summary>
/// Which blocks count. A block is discarded when its two baselines differ by more than 5 %, and its runner replaces it. When more than a third are discarded,
/// the whole comparison is noisy.
/// </summary>
/// <remarks>
/// Two runs also differ by chance. At a run CV of 3 %, which the statistics must tolerate, 24 % of the blocks differ by more than 5 %. Then 14 of 100
/// comparisons of ten blocks would be called noisy (simulated). So a discarded block counts towards the third only if its drift also exceeds twice the
/// scatter of all drifts about their median. This limit is at most twice what a run CV of 3 % explains, 8.5 %. Below a run CV of 1.8 % it is the 5 %. The
/// exception applies while five blocks are left. <see cref="RunNoise"/> decides whether the scatter itself is too large.
/// </remarks>
internal static class DriftRule
{
    /// <summary>The largest difference of the two baselines of a block that counts, as a share of the first.</summary>
    public const double MostDrift = 0.05;

    /// <summary>The largest share of blocks that may be discarded because of their drift.</summary>
    public const double MostDiscarded = 1.0 / 3;

    // With fewer drifts their scatter is not known. With fewer blocks there is no interval.
    private const int FewestForChance = MedianInterval.FewestForInterval;
    private const double Scatters = 2;

    // In a normal distribution the median distance from the median is 0.6745 standard deviations.
    private const double DeviationsPerMedianDistance = 1.4826;

    /// <summary>
    /// Whether a block counts: both of its baselines are ok and their drift is at most 5 %. A baseline with a growing lag shows no drift, because its times
    /// depend on the length of the run. It does not withhold the other strategies of its block.
    /// </summary>
    public static bool Keeps(Block block, string baseline) =>
        block.GetDrift(baseline) is { } drift ? Math.Abs(drift) <= MostDrift : block.FallsBehind(baseline);

    /// <summary>
    /// Whether a block counts if this number of blocks was requested. With too few for an interval, every result is only an indication, and each block
    /// counts.
    /// </summary>
    public static bool Counts(Block block, string baseline, int wanted) => wanted < MedianInterval.FewestForInterval || Keeps(block, baseline);

    /// <summary>Whether to run another block: fewer count than requested, and at most twice as many were run.</summary>
    /// <param name="run">How many were run so far.</param>
    /// <param name="counting">How many of them count.</param>
    /// <param name="wanted">How many must count, from 1.</param>
    public static bool WantsAnother(int run, int counting, int wanted) => run < MostBlocks(wanted) && counting < wanted;

    /// <summary>The most blocks that are run, discarded ones included.</summary>
    /// <param name="wanted">How many must count, from 1.</param>
    public static int MostBlocks(int wanted) => wanted < MedianInterval.FewestForInterval ? wanted : 2 * wanted;

    /// <summary>
    /// Whether more than a third of the blocks are discarded because of their drift, by chance or not. A block whose baseline is not ok has no drift, and
    /// counts as run.
    /// </summary>
    /// <param name="blocks">All that were run, replaced ones too.</param>
    /// <param name="baseline">The label of baseline.</param>
    public static bool DiscardsTooMany(IReadOnlyCollection<Block> blocks, string baseline) =>
        CountAbove(MostDrift, GetDrifts(blocks, baseline)) > MostDiscarded * blocks.Count;

    /// <summary>Whether so large a share is discarded, and more than chance explains, that no conclusion is possible.</summary>
    /// <param name="blocks">All that were run, replaced ones too.</param>
    /// <param name="baseline">The label of baseline.</param>
    public static bool FindsNoise(IReadOnlyCollection<Block> blocks, string baseline)
    {
        var drifts = GetDrifts(blocks, baseline);
        var kept = drifts.Length - CountAbove(MostDrift, drifts);
        return CountAbove(kept < FewestForChance ? MostDrift : LimitFor(drifts), drifts) > MostDiscarded * blocks.Count;
    }

    private static double[] GetDrifts(IEnumerable<Block> blocks, string baseline) => [.. blocks.Select(block => block.GetDrift(baseline)).OfType<double>()];

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
