namespace EventHubThroughput.Comparison;

/// <summary>The blocks of a comparison, and the comparison of any two strategies in them.</summary>
internal sealed class ComparedBlocks
{
    private readonly long seed;

    /// <summary>
    /// Divides the blocks into those that count and those that drifted. With too few blocks for an interval, every result is only an indication, and each
    /// block counts.
    /// </summary>
    /// <param name="all">All blocks that were run, replaced ones too.</param>
    /// <param name="baseline">The label at both ends of each block.</param>
    /// <param name="seed">The seed of every interval.</param>
    public ComparedBlocks(IReadOnlyList<Block> all, string baseline, long seed)
    {
        (All, Baseline, this.seed) = (all, baseline, seed);
        var isIndication = all.Count < MedianInterval.FewestForInterval;
        Kept = [.. all.Where(block => DriftRule.Counts(block, baseline, all.Count))];
        AreNoisy = !isIndication && DriftRule.FindsNoise(all, baseline);
    }

    /// <summary>All blocks that were run.</summary>
    public IReadOnlyList<Block> All { get; }

    /// <summary>The label at both ends of each block.</summary>
    public string Baseline { get; }

    /// <summary>Those that count.</summary>
    public IReadOnlyList<Block> Kept { get; }

    /// <summary>Whether too many blocks drifted for a conclusion about any pair.</summary>
    public bool AreNoisy { get; }

    /// <summary>Events per second of a strategy's single runs. Null if none is ok in a block that counts.</summary>
    public MedianInterval? RateOf(string label) => MedianInterval.Of([.. Kept.SelectMany(block => block.RunsOf(label))], seed);

    /// <summary>How many runs of a strategy are excluded, by reason.</summary>
    public IReadOnlyDictionary<CellStatus, int> ApartOf(string label) =>
        All.SelectMany(static block => block.Cells)
            .Where(cell => cell.Strategy == label && cell.Status != CellStatus.Ok)
            .CountBy(static cell => cell.Status)
            .ToDictionary();

    /// <summary>Compares any two strategies, block by block.</summary>
    /// <param name="strategy">The label in the numerator of the ratio.</param>
    /// <param name="reference">The label in the denominator.</param>
    public PairConclusion Compare(string strategy, string reference)
    {
        Block[] shared = [.. Kept.Where(block => block.RateOf(strategy) is not null && block.RateOf(reference) is not null)];
        double[] ratios = [.. shared.Select(block => block.RateOf(strategy)!.Value / block.RateOf(reference)!.Value)];
        var ratio = MedianInterval.Of(ratios, seed);
        var withheld = WithheldFor(strategy) ?? WithheldFor(reference) ?? (ratio is null && !AreNoisy ? WithheldReason.NothingToCompare : null);
        var noise = ratio is null
            ? null
            : RunNoise.Of(ratios, (1.0 / RunsInBlock(strategy)) + (1.0 / RunsInBlock(reference)), [.. shared.SelectMany(block => block.RunsOf(Baseline))]);
        var p = MannWhitney.TwoSidedP([.. shared.SelectMany(block => block.RunsOf(strategy))], [.. shared.SelectMany(block => block.RunsOf(reference))]);
        return new()
        {
            Strategy = strategy,
            Reference = reference,
            Word =
                withheld is not null ? ConclusionWord.Withheld
                : AreNoisy || ratio is null || noise is null ? ConclusionWord.Noisy
                : ConclusionRule.WordFor(ratio, noise.IsTooLarge),
            Withheld = withheld,
            Ratio = ratio,
            FasterIn = ratios.Count(static one => one > 1),
            P = p,
            PHolm = p,
            Noise = noise,
        };
    }

    /// <summary>Why a strategy is not ranked: something else limited one of its runs, in any block.</summary>
    public WithheldReason? WithheldFor(string label)
    {
        var apart = ApartOf(label);
        return apart.ContainsKey(CellStatus.EmulatorBound) ? WithheldReason.EmulatorBound
            : apart.ContainsKey(CellStatus.InputBound) ? WithheldReason.InputBound
            : apart.ContainsKey(CellStatus.FallsBehind) ? WithheldReason.FallsBehind
            : null;
    }

    // Baseline is at both ends of a block.
    private int RunsInBlock(string label) => label == Baseline ? 2 : 1;
}
