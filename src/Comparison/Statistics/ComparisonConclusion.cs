namespace EventHubThroughput.Comparison;

/// <summary>The conclusion of a comparison: each strategy against baseline, and the best one against the next.</summary>
internal sealed record ComparisonConclusion
{
    /// <summary>One for each label, in the order in which they first ran, baseline first.</summary>
    public required IReadOnlyList<StrategyConclusion> Strategies { get; init; }

    /// <summary>
    /// The strategy with the highest median rate against the one with the second highest. Null if there are no two, or if the emulator or the input limited a
    /// strategy, because that one might be the best. One with a growing lag is not.
    /// </summary>
    public PairConclusion? Best { get; init; }

    /// <summary>How many blocks count.</summary>
    public required int Blocks { get; init; }

    /// <summary>How many blocks were discarded: their baselines differ by more than 5 %, or one of them is not ok.</summary>
    public required int DiscardedBlocks { get; init; }

    /// <summary>Whether the machine drifted in more than a third of the blocks, so that there is no conclusion about any pair.</summary>
    public required bool IsNoisy { get; init; }

    /// <summary>Computes the conclusion. The same arguments give the same conclusion on every machine.</summary>
    /// <param name="blocks">All blocks that were run, replaced ones too.</param>
    /// <param name="baseline">The label at both ends of each block.</param>
    /// <param name="seed">The seed of every interval, which is recorded with them.</param>
    public static ComparisonConclusion Of(IReadOnlyList<Block> blocks, string baseline, long seed)
    {
        var compared = new ComparedBlocks(blocks, baseline, seed);
        string[] labels =
        [
            baseline,
            .. blocks.SelectMany(static block => block.Cells).Select(static cell => cell.Strategy).Where(label => label != baseline).Distinct(),
        ];
        var best = GetBest(compared, labels);
        var pairs = labels.Skip(1).Select(label => compared.Compare(label, baseline)).ToList();
        // If baseline is one of the best two, that pair is among those to baseline, and not a separate test.
        var isOwnTest = best is not null && best.Strategy != baseline && best.Reference != baseline;
        PairConclusion[] corrected = [.. Corrected(isOwnTest ? [.. pairs, best!] : pairs)];

        return new()
        {
            Strategies =
            [
                .. labels.Select(label => new StrategyConclusion(
                    label,
                    compared.GetRate(label),
                    label == baseline ? null : corrected.First(pair => pair.Strategy == label && pair.Reference == baseline),
                    compared.GetExcluded(label)
                )),
            ],
            Best =
                best is null ? null
                : isOwnTest ? corrected[^1]
                : best with { PHolm = corrected.First(pair => pair.Strategy == best.Strategy || pair.Strategy == best.Reference).PHolm },
            Blocks = compared.Kept.Count,
            DiscardedBlocks = blocks.Count - compared.Kept.Count,
            IsNoisy = compared.AreNoisy,
        };
    }

    private static PairConclusion? GetBest(ComparedBlocks compared, string[] labels)
    {
        if (labels.Any(label => compared.GetUnrankedReason(label) is UnrankedReason.EmulatorBound or UnrankedReason.InputBound))
        {
            return null;
        }

        string[] ranked =
        [
            .. labels
                .Where(label => compared.GetUnrankedReason(label) is null)
                .Select(label => (Label: label, Rate: compared.GetRate(label)))
                .Where(static one => one.Rate is not null)
                .OrderByDescending(static one => one.Rate!.Median)
                .Select(static one => one.Label),
        ];
        return ranked is [var best, var second, ..] ? compared.Compare(best, second) : null;
    }

    // Pairs without a probability are not tests.
    private static IEnumerable<PairConclusion> Corrected(IReadOnlyList<PairConclusion> pairs)
    {
        var adjusted = new Queue<double>(Holm.Adjust([.. pairs.Select(static pair => pair.P).OfType<double>()]));
        return pairs.Select(pair => pair.P is null ? pair : pair with { PHolm = adjusted.Dequeue() });
    }
}

/// <summary>The conclusion about one strategy.</summary>
/// <param name="Strategy">The label.</param>
/// <param name="Rate">Events per second of its runs that are ok in the blocks that count. Null if there are none.</param>
/// <param name="ToBaseline">The comparison with baseline. Null for baseline itself.</param>
/// <param name="Apart">How many of its runs are excluded, by reason, in all blocks, discarded ones too.</param>
internal sealed record StrategyConclusion(string Strategy, MedianInterval? Rate, PairConclusion? ToBaseline, IReadOnlyDictionary<CellStatus, int> Apart);
