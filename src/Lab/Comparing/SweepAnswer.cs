using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The answer of a sweep: the configuration to use, against the best of another strategy or else of the next series, with its price.</summary>
internal static class SweepAnswer
{
    /// <param name="sweep">The series.</param>
    /// <param name="strategies">What was measured at each point.</param>
    /// <param name="getWord">The conclusion about a pair in a word.</param>
    /// <param name="blocks">The blocks of the sweep.</param>
    /// <returns>The sentences. Null where nothing was measured.</returns>
    public static string? Describe(
        IReadOnlyList<SweptSeries> sweep,
        IReadOnlyList<ComparedStrategy> strategies,
        Func<PairConclusion, string> getWord,
        ComparedBlocks blocks
    )
    {
        var ranked = sweep
            .Select(series => (Series: series, Point: strategies.FirstOrDefault(one => one.Label == series.PointToUse?.Label)))
            .Where(static one => one.Point?.EventsPerS is not null)
            .OrderByDescending(static one => one.Point!.EventsPerS)
            .ToList();
        if (ranked is not [(var series, { } first), ..])
        {
            return null;
        }

        var others = ranked.Skip(1).Select(static one => one.Point!).ToList();
        var second = others.Find(one => one.Name != first.Name) ?? others.FirstOrDefault() ?? first;
        var isChosen = series.Recommended is not null && series.Degrees.Count(static one => one.EventsPerS is not null) > 1;
        var begin = isChosen ? $"Use {first.Label}" : $"{first.Label} has the highest rate";
        var rate = first.EventsPerS95 is { } ends ? $" ({Figures.Range(ends, Figures.Rate)})" : "";
        var ratio = second == first ? "" : GetRatio(blocks.Compare(first.Label, second.Label), second.Label, getWord);
        return Text($"{begin}: {Figures.Rate(first.EventsPerS)} events/s{rate}{ratio}. {ComparisonSentences.GetPrice(first, second)}");
    }

    private static string GetRatio(PairConclusion pair, string second, Func<PairConclusion, string> getWord) =>
        (getWord(pair), pair.Ratio) switch
        {
            ("faster", { } ratio) => Text($", {ratio.Median:0.0#} x as fast as {second}{GetRange(ratio)}"),
            ("indication", { } ratio) => Text($", {ratio.Median:0.0#} x as fast as {second} (an indication, {Plural.Format(ratio.Count, "block")})"),
            (var word, { } ratio) => Text($". The ratio to {second} is {ratio.Median:0.0#}{GetRange(ratio)}, {word}"),
            var (word, _) => $". Compared with {second}: {word}",
        };

    private static string GetRange(MedianInterval ratio) => ratio is { Low95: { } low, High95: { } high } ? Text($" ({low:0.00} to {high:0.00})") : "";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
