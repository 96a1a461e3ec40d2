namespace EventHubThroughput.Comparison;

/// <summary>From an interval of ratios to a word.</summary>
/// <remarks>
/// The margin of 3 % is there because an interval that only excludes 1 called equal strategies different in 6 to 8 of 100 comparisons of ten blocks.
/// </remarks>
internal static class ConclusionRule
{
    /// <summary>How much a difference must exceed to be told, as a ratio.</summary>
    public const double Margin = 1.03;

    /// <summary>The lowest ratio that is no difference.</summary>
    public const double NoDifferenceLow = 0.97;

    /// <summary>What is said of a pair.</summary>
    /// <param name="ratio">Of the rates, block by block.</param>
    /// <param name="isNoisy">
    /// Whether the runs scatter too much for a gate (<see cref="RunNoise"/>). In a comparison a difference that shows all the same keeps its word, since
    /// the interval is as wide as the runs scatter. What does not show is then noisy instead of not decided.
    /// </param>
    public static ConclusionWord WordFor(MedianInterval ratio, bool isNoisy) =>
        (ratio.Low95, ratio.High95) switch
        {
            (> Margin, _) => ConclusionWord.Faster,
            (_, < 1 / Margin) => ConclusionWord.Slower,
            (null, _) or (_, null) => ConclusionWord.Indication,
            _ when isNoisy => ConclusionWord.Noisy,
            (>= NoDifferenceLow, <= Margin) => ConclusionWord.NoDifference,
            _ => ConclusionWord.NotDecided,
        };
}
