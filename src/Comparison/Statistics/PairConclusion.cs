namespace EventHubThroughput.Comparison;

/// <summary>The conclusion about one strategy against another.</summary>
internal sealed record PairConclusion
{
    /// <summary>The label in the numerator of the ratio.</summary>
    public required string Strategy { get; init; }

    /// <summary>The label in the denominator.</summary>
    public required string Reference { get; init; }

    /// <summary>The conclusion about <see cref="Strategy"/>.</summary>
    public required ConclusionWord Word { get; init; }

    /// <summary>Why there is no conclusion. Null unless <see cref="Word"/> is unranked.</summary>
    public UnrankedReason? Unranked { get; init; }

    /// <summary>The ratio of the rates in the same block, over the blocks that count, with their number. Null if there is none.</summary>
    public MedianInterval? Ratio { get; init; }

    /// <summary>In how many of those blocks the strategy was faster.</summary>
    public int FasterIn { get; init; }

    /// <summary>Mann and Whitney's probability for the single runs of those blocks, two-sided. Null if there are none.</summary>
    public double? P { get; init; }

    /// <summary><see cref="P"/> corrected for the other pairs of the comparison (Holm). It is the same for a pair that is compared alone.</summary>
    public double? PHolm { get; init; }

    /// <summary>How much the runs scatter. Null if there are none.</summary>
    public RunNoise? Noise { get; init; }
}
