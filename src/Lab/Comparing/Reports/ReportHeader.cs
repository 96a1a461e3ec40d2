using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>
/// The first screen of a report: which configuration, by how much, how certain that is and at what price. Also why, what to type next, and in one folded line
/// what does not count.
/// </summary>
internal static class ReportHeader
{
    public static XElement Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var (open, folded) = Fold(result.Sentences);
        var (answer, price) = Parted(open.Count > 0 ? open[0] : "No cell was measured.");
        if (price.Length == 0)
        {
            price = open.FirstOrDefault(static sentence => ExclusionWords.Begin(sentence, ExclusionWords.Counted)) ?? "";
        }

        var swept = result.Sweep?.Select(static series => series.Sentence) ?? [];
        var notes = open.Skip(1).Except([price, .. swept]).ToList();
        var shown = FirstScreen.Select(result, all);
        return new XElement(
            "header",
            new XElement("p", new XAttribute("class", "kicker"), GetKicker(result)),
            new XElement("h1", answer),
            price.Length > 0 ? new XElement("p", new XAttribute("class", "lead"), price) : null,
            result.Comparison.Complete
                ? null
                : new XElement("p", new XAttribute("class", "warning"), "This comparison was interrupted. The report covers the finished cells."),
            RateBars.Of(result, shown) ?? GetVerdicts(shown),
            EventStripFigure.Of(shown),
            NextCommand.Of(result, shown),
            notes.Count > 0 ? GetList(notes, "sentences") : null,
            folded.Count > 0 ? GetFolded(result, folded) : null
        );
    }

    // Of a withheld answer the reason stays open. The list of the cells is folded.
    private static (IReadOnlyList<string> Open, IReadOnlyList<string> Folded) Fold(IReadOnlyList<string> sentences)
    {
        List<string> open = [];
        List<string> folded = [];
        foreach (var sentence in sentences)
        {
            var (first, rest) = ExclusionWords.Begin(sentence, ExclusionWords.NoAnswer, ExclusionWords.Incomplete) ? Parted(sentence) : (sentence, "");
            (ExclusionWords.AreFolded(sentence) ? folded : open).Add(first);
            folded.AddRange(rest.Length > 0 ? [rest] : []);
        }

        return (open, folded);
    }

    private static string GetKicker(ComparisonResult result)
    {
        var settings = result.Settings;
        return Text(
            $"{(result.Sweep is null ? "Strategies compared" : "Degrees compared")} · {settings.Place} · {Plural.Format(settings.Partitions, "partition")}{(result.Sweep is null ? Text($" · batch {settings.Batch} · degree {settings.Degree}") : "")} · {result.Comparison.StartedUtc:yyyy-MM-dd}"
        );
    }

    private static XElement GetVerdicts(IReadOnlyList<ComparedSeries> shown) =>
        new(
            "ul",
            new XAttribute("class", "verdicts"),
            new XAttribute("aria-label", "Verdicts"),
            shown.Select(static one => new XElement(
                "li",
                Drawing.Symbol(one.Look),
                new XElement("span", one.Label),
                " ",
                StrategiesSection.Badge(one.Strategy.Verdict)
            ))
        );

    private static XElement GetFolded(ComparisonResult result, IReadOnlyList<string> sentences) =>
        new("details", new XAttribute("class", "excluded"), new XElement("summary", GetSummary(result)), GetList(sentences, "sentences"));

    private static string GetSummary(ComparisonResult result)
    {
        var (excluded, marked) = (
            result.Cells.Count(static cell => cell.Apart is not null),
            result.Cells.Count(static cell => cell is { Apart: null, ProfileMissedBy: > 0 })
        );
        string[] parts =
        [
            .. excluded > 0 ? new[] { Text($"{excluded} of {Plural.Format(result.Cells.Count, "cell")} excluded") } : [],
            .. marked > 0 ? new[] { Text($"{marked} marked") } : [],
            .. result.DiscardedBlocks.Count > 0 ? new[] { $"{Plural.Format(result.DiscardedBlocks.Count, "block")} discarded" } : [],
        ];
        return parts.Length > 0 ? $"{string.Join(", ", parts)}: which and why" : "Notes on cells";
    }

    private static XElement GetList(IEnumerable<string> sentences, string kind) =>
        new("ul", new XAttribute("class", kind), sentences.Select(static sentence => new XElement("li", sentence)));

    // The answer is the heading. The price is written below.
    private static (string Answer, string Price) Parted(string sentence) =>
        sentence.IndexOf(". ", StringComparison.Ordinal) is >= 0 and var end ? (sentence[..(end + 1)], sentence[(end + 2)..]) : (sentence, "");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
