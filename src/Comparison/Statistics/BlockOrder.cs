namespace EventHubThroughput.Comparison;

/// <summary>
/// The order of the cells of a block: baseline first and last, between them every other strategy once, in random order. So a slow change of the machine
/// affects all of them alike.
/// </summary>
internal static class BlockOrder
{
    /// <summary>The labels of a block's cells in the order in which they run. The same arguments give the same order.</summary>
    /// <param name="strategies">The labels to compare, each once. <paramref name="baseline"/> may be among them.</param>
    /// <param name="baseline">The label at both ends.</param>
    /// <param name="seed">The seed of the comparison.</param>
    /// <param name="block">The block's number. Each block has a separate order.</param>
    public static IReadOnlyList<string> Of(IEnumerable<string> strategies, string baseline, long seed, int block)
    {
        string[] others = [.. strategies.Where(label => label != baseline)];
        var draws = SeededSequence.For(seed, block);
        // Fisher and Yates.
        for (var last = others.Length - 1; last > 0; last--)
        {
            var other = draws.Below(last + 1);
            (others[last], others[other]) = (others[other], others[last]);
        }

        return [baseline, .. others, baseline];
    }
}
