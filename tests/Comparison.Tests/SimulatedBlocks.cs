using MathNet.Numerics.Distributions;

namespace EventHubThroughput.Comparison.Tests;

/// <summary>Blocks of a comparison of <c>baseline</c> and <c>other</c> as a machine would give them whose single runs scatter independently.</summary>
internal static class SimulatedBlocks
{
    public const string Baseline = "baseline";
    public const string Other = "other";

    /// <summary>The requested number of blocks that count. Those that drift are kept in the list and replaced, as in a comparison.</summary>
    public static IReadOnlyList<Block> Of(int count, double ratio, double runCv, long seed)
    {
        var draws = new SeededSequence(seed);
        var blocks = new List<Block>();
        while (DriftRule.WantsAnother(blocks.Count, blocks.Count(block => DriftRule.Counts(block, Baseline, count)), count))
        {
            var order = BlockOrder.Of([Baseline, Other], Baseline, seed, blocks.Count);
            blocks.Add(new([.. order.Select(label => new CellResult(label, (label == Other ? ratio : 1) * 1000 * Scatter(draws, runCv)))]));
        }

        return blocks;
    }

    /// <summary>A factor around 1 with the standard deviation <paramref name="cv"/>.</summary>
    public static double Scatter(SeededSequence draws, double cv)
    {
        // 0 has no quantile.
        var fraction = Math.Max(draws.Fraction(), 1e-12);
        return Math.Max(0.01, 1 + (cv * Normal.InvCDF(0, 1, fraction)));
    }
}
