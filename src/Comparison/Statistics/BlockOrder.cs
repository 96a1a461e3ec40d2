namespace EventHubThroughput.Comparison;

/// <summary>
/// In which order the cells of a block run: baseline first and last, between them every other strategy once, in random order, so that
/// whatever changes slowly on the machine meets all of them alike.
/// </summary>
internal static class BlockOrder
{
    /// <summary>The labels of a block's cells in the order in which they run. The same for the same arguments.</summary>
    /// <param name="strategies">The labels to compare, each once. <paramref name="baseline"/> may be among them.</param>
    /// <param name="baseline">What stands at both ends.</param>
    /// <param name="seed">The seed of the comparison.</param>
    /// <param name="block">The block's number: each has an order of its own.</param>
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
