namespace EventHubThroughput.Comparison;

/// <summary>What the blocks say of one strategy against another.</summary>
internal sealed record PairConclusion
{
    /// <summary>The label whose rate stands above the line of the ratio.</summary>
    public required string Strategy { get; init; }

    /// <summary>The label whose rate stands below it.</summary>
    public required string Reference { get; init; }

    /// <summary>What may be said of <see cref="Strategy"/>.</summary>
    public required ConclusionWord Word { get; init; }

    /// <summary>Why nothing is said. Null unless <see cref="Word"/> is withheld.</summary>
    public WithheldReason? Withheld { get; init; }

    /// <summary>The ratio of the rates in the same block, over the blocks that count. Its count is theirs. Null if there is none.</summary>
    public MedianInterval? Ratio { get; init; }

    /// <summary>In how many of those blocks the strategy was the faster one.</summary>
    public int FasterIn { get; init; }

    /// <summary>Mann and Whitney's probability for the single runs of those blocks, two-sided. Null if there are none.</summary>
    public double? P { get; init; }

    /// <summary><see cref="P"/> corrected for the other pairs of the comparison (Holm). For a pair asked for alone it is the same.</summary>
    public double? PHolm { get; init; }

    /// <summary>How much the runs scatter. Null if there are none.</summary>
    public RunNoise? Noise { get; init; }
}
