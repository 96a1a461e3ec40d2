namespace EventHubThroughput.Comparison;

/// <summary>The result of a gate for a strategy, or a build, that must not be slower than another one.</summary>
internal enum GateOutcome
{
    /// <summary>No slowdown as large as the limit: the interval excludes it.</summary>
    Passed,

    /// <summary>A slowdown was detected.</summary>
    Failed,

    /// <summary>No verdict: the runs scatter or the machine drifted more than permitted, or the interval neither shows a slowdown nor excludes one.</summary>
    Noisy,

    /// <summary>No verdict: fewer blocks count than a verdict needs.</summary>
    TooFewBlocks,

    /// <summary>No verdict: something else limited the rates.</summary>
    BoundElsewhere,
}

/// <summary>
/// The strict use of a comparison, for a build server. It fails if a slowdown is detected, passes if one as large as the limit is excluded, and otherwise
/// reports why there is no verdict.
/// </summary>
/// <remarks>
/// It needs 10 blocks and run CVs that do not contradict 3 % (<see cref="RunNoise"/>). Then a slowdown of 10 % fails in at least 95 of 100
/// simulated trials, and equal strategies in at most 5. There were 1,000 trials each at a true run CV of 3, 4, 5, 6 and 8 %. The gate calls
/// 1, 24, 70, 94 and 100 % of them noisy. A slowdown passes in at most 4 of the 1,000, and equal strategies fail in none.
/// </remarks>
internal static class SlowdownGate
{
    /// <summary>With fewer blocks there is no verdict.</summary>
    public const int FewestBlocks = 10;

    /// <summary>The slowdown that ten blocks find, as a share of the reference's rate.</summary>
    public const double UsualSlowdown = 0.10;

    /// <summary>Judges a pair.</summary>
    /// <param name="blocks">All that were run.</param>
    /// <param name="strategy">The label that must not be slower.</param>
    /// <param name="reference">The label to compare with, baseline or any other.</param>
    /// <param name="slowdown">The slowdown that must be excluded for a pass, above 0.03 and below 1.</param>
    public static GateOutcome Judge(ComparedBlocks blocks, string strategy, string reference, double slowdown = UsualSlowdown)
    {
        var pair = blocks.Compare(strategy, reference);
        return pair switch
        {
            { Word: ConclusionWord.NotRanked } => GateOutcome.BoundElsewhere,
            { Word: ConclusionWord.Noisy } or { Noise.IsTooLarge: true } => GateOutcome.Noisy,
            // Chance is not accepted as an excuse if drift has cost a gate the blocks that it needs.
            { Ratio: null or { Count: < FewestBlocks } } => DriftRule.DiscardsTooMany(blocks.All, blocks.Baseline)
                ? GateOutcome.Noisy
                : GateOutcome.TooFewBlocks,
            { Word: ConclusionWord.Slower } => GateOutcome.Failed,
            _ => pair.Ratio.Low95 > 1 - slowdown ? GateOutcome.Passed : GateOutcome.Noisy,
        };
    }
}
