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
    public MedianInterval? GetRate(string label) => MedianInterval.Of([.. Kept.SelectMany(block => block.GetRuns(label))], seed);

    /// <summary>How many runs of a strategy are excluded, by reason.</summary>
    public IReadOnlyDictionary<CellStatus, int> GetExcluded(string label) =>
        All.SelectMany(static block => block.Cells)
            .Where(cell => cell.Strategy == label && cell.Status != CellStatus.Ok)
            .CountBy(static cell => cell.Status)
            .ToDictionary();

    /// <summary>Compares any two strategies, block by block.</summary>
    /// <param name="strategy">The label in the numerator of the ratio.</param>
    /// <param name="reference">The label in the denominator.</param>
    public PairConclusion Compare(string strategy, string reference)
    {
        Block[] shared = [.. Kept.Where(block => block.GetRate(strategy) is not null && block.GetRate(reference) is not null)];
        double[] ratios = [.. shared.Select(block => block.GetRate(strategy)!.Value / block.GetRate(reference)!.Value)];
        var ratio = MedianInterval.Of(ratios, seed);
        var unranked = GetUnrankedReason(strategy) ?? GetUnrankedReason(reference) ?? (ratio is null && !AreNoisy ? UnrankedReason.NothingToCompare : null);
        var noise = ratio is null
            ? null
            : RunNoise.Of(ratios, (1.0 / RunsInBlock(strategy)) + (1.0 / RunsInBlock(reference)), [.. shared.SelectMany(block => block.GetRuns(Baseline))]);
        var p = MannWhitney.TwoSidedP([.. shared.SelectMany(block => block.GetRuns(strategy))], [.. shared.SelectMany(block => block.GetRuns(reference))]);
        return new()
        {
            Strategy = strategy,
            Reference = reference,
            Word =
                unranked is not null ? ConclusionWord.NotRanked
                : AreNoisy || ratio is null || noise is null ? ConclusionWord.Noisy
                : ConclusionRule.WordFor(ratio, noise.IsTooLarge),
            Unranked = unranked,
            Ratio = ratio,
            FasterIn = ratios.Count(static one => one > 1),
            P = p,
            PHolm = p,
            Noise = noise,
        };
    }

    /// <summary>Why a strategy is not ranked: something else limited one of its runs, in any block.</summary>
    public UnrankedReason? GetUnrankedReason(string label)
    {
        var apart = GetExcluded(label);
        return apart.ContainsKey(CellStatus.EmulatorBound) ? UnrankedReason.EmulatorBound
            : apart.ContainsKey(CellStatus.InputBound) ? UnrankedReason.InputBound
            : apart.ContainsKey(CellStatus.FallsBehind) ? UnrankedReason.FallsBehind
            : null;
    }

    // Baseline is at both ends of a block.
    private int RunsInBlock(string label) => label == Baseline ? 2 : 1;
}
