namespace EventHubThroughput.Comparison;

/// <summary>Derives a word from an interval of ratios.</summary>
/// <remarks>
/// The margin of 3 % has a reason. An interval that only excludes 1 called equal strategies different in 6 to 8 of 100 comparisons of ten blocks.
/// </remarks>
internal static class ConclusionRule
{
    /// <summary>The least difference that is reported, as a ratio.</summary>
    public const double Margin = 1.03;

    /// <summary>The lowest ratio that counts as equal.</summary>
    public const double NoDifferenceLow = 0.97;

    /// <summary>The word for a pair.</summary>
    /// <param name="ratio">The ratio of the rates, block by block.</param>
    /// <param name="isNoisy">
    /// Whether the runs scatter too much for a gate (<see cref="RunNoise"/>). In a comparison a visible difference keeps its word, because the interval is as
    /// wide as the runs scatter. Otherwise the word is noisy instead of not decided.
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
