namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The words that begin sentences about cells and blocks that do not count, or count with a note. A report folds these sentences.</summary>
internal static class ExclusionWords
{
    public const string NoAnswer = "No answer";
    public const string Incomplete = "The answer is incomplete";

    /// <summary>Begins the answer of an incomplete comparison.</summary>
    public const string Counted = "Of the cells that count";
    public const string AnotherReason = "Excluded for another reason";
    public const string Excluded = "excluded";
    public const string Marked = "marked";
    public const string NoSteadyState = "no steady state";
    public const string EndedEarly = "ended early";
    public const string Discarded = "discarded";

    // The last one is of earlier versions.
    private static readonly string[] Folded = [AnotherReason, Excluded, Marked, NoSteadyState, EndedEarly, Discarded, "kept apart"];

    /// <summary>Whether a sentence begins with one of these words.</summary>
    public static bool Begin(string sentence, params IEnumerable<string> words) =>
        words.Any(word => sentence.StartsWith($"{word}: ", StringComparison.Ordinal));

    /// <summary>Whether a report folds the sentence.</summary>
    public static bool AreFolded(string sentence) => Begin(sentence, Folded);
}
