namespace EventHubThroughput.Comparison;

/// <summary>What a gate says of a build that must not be slower.</summary>
internal enum GateOutcome
{
    /// <summary>No slowdown as large as the limit: the interval excludes it.</summary>
    Passed,

    /// <summary>A slowdown is shown.</summary>
    Failed,

    /// <summary>No verdict: too much noise, too few blocks, or figures that are not the strategies' own.</summary>
    NoVerdict,
}

/// <summary>
/// The strict use of a comparison, for a build server: it fails for a slowdown that is shown, passes where one of the limit is excluded, and gives no verdict
/// otherwise; never silence for a pass.
/// </summary>
/// <remarks>
/// Needs at least 10 blocks and run CVs that do not contradict 3 % (<see cref="RunNoise"/>): then a slowdown of 10 % fails in at least 95 of 100 simulated trials, and
/// equal strategies in at most 5. At a run CV of 8 % every trial ends without a verdict.
/// </remarks>
internal static class SlowdownGate
{
    /// <summary>With fewer blocks there is no verdict.</summary>
    public const int FewestBlocks = 10;

    /// <summary>The slowdown that ten blocks find, as a share of the reference's rate.</summary>
    public const double UsualSlowdown = 0.10;

    /// <summary>Judges a pair.</summary>
    /// <param name="pair">The build to judge above the line, the one to hold it against below.</param>
    /// <param name="slowdown">The slowdown that must be excluded for a pass, above 0.03 and below 1.</param>
    public static GateOutcome Judge(PairConclusion pair, double slowdown = UsualSlowdown) =>
        pair is not { Word: not (ConclusionWord.Noisy or ConclusionWord.Withheld), Noise.IsTooLarge: false, Ratio: { Count: >= FewestBlocks } ratio }
            ? GateOutcome.NoVerdict
            : (pair.Word, ratio.Low95 > 1 - slowdown) switch
            {
                (ConclusionWord.Slower, _) => GateOutcome.Failed,
                (_, true) => GateOutcome.Passed,
                _ => GateOutcome.NoVerdict,
            };
}
