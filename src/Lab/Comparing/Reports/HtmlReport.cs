using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>
/// A comparison as one HTML file: drawings are inline SVG. It is well-formed XML too.
/// </summary>
internal static class HtmlReport
{
    /// <summary>The file.</summary>
    public static string Of(ComparisonResult result)
    {
        var all = ComparedSeries.Of(result);
        var onEmulator = result.Settings.Services is null;
        IReadOnlyList<ReportSection> sections =
        [
            .. SweepSection.Of(result, all) is { } sweep ? new[] { sweep } : [],
            RateSection.Of(result, all),
            StrategiesSection.Of(result, all),
            PairsSection.Of(result),
            LatencySection.Of(result, all),
            StagesSection.Of(result, all),
            TimelineSection.Of(result, all),
            .. onEmulator ? new[] { ModelSection.Of(all) } : [],
            InFlightSection.Of(result, all),
            .. onEmulator ? new[] { ProfileSection.Of(result, all) } : [],
            ProcessorSection.Of(result, all),
            ThreadPoolSection.Of(all),
            GetConclusions(result),
            CellsSection.Of(result, all),
            EnvironmentSection.Of(result),
        ];
        var title = $"Comparison of {string.Join(", ", result.Settings.Strategies)}";
        return HtmlPage.Of(title, result.Program.Version, GetHeader(result, all), GetContents(sections), HtmlPage.GetSections(sections), GetFooter(result));
    }

    private static XElement GetHeader(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var settings = result.Settings;
        var (answer, price) = Parted(result.Sentences.Count > 0 ? result.Sentences[0] : "No cell was measured.");
        return new XElement(
            "header",
            new XElement(
                "p",
                new XAttribute("class", "kicker"),
                Text(
                    $"Strategies compared · {settings.Place} · {settings.Partitions} {(settings.Partitions == 1 ? "partition" : "partitions")} · batch {settings.Batch} · degree {settings.Degree} · {result.Comparison.StartedUtc:yyyy-MM-dd}"
                )
            ),
            new XElement("h1", answer),
            price.Length > 0 ? new XElement("p", new XAttribute("class", "lead"), price) : null,
            result.Comparison.Complete
                ? null
                : new XElement("p", new XAttribute("class", "warning"), "This comparison was interrupted. The report covers the finished cells."),
            RateBars.Of(result, all) ?? GetVerdicts(all),
            NextCommand.Of(result, all),
            result.Sentences.Count > 1
                ? new XElement("ul", new XAttribute("class", "sentences"), result.Sentences.Skip(1).Select(static sentence => new XElement("li", sentence)))
                : null
        );
    }

    private static XElement GetVerdicts(IReadOnlyList<ComparedSeries> all) =>
        new(
            "ul",
            new XAttribute("class", "verdicts"),
            new XAttribute("aria-label", "Verdicts"),
            all.Select(static one => new XElement(
                "li",
                Drawing.Symbol(one.Look),
                new XElement("span", one.Label),
                " ",
                StrategiesSection.Badge(one.Strategy.Verdict)
            ))
        );

    private static XElement GetContents(IReadOnlyList<ReportSection> sections) =>
        new(
            "nav",
            new XAttribute("aria-label", "Contents"),
            new XElement(
                "ul",
                sections.Select(static section => new XElement("li", new XElement("a", new XAttribute("href", $"#{section.Id}"), section.Title)))
            )
        );

    private static ReportSection GetConclusions(ComparisonResult result) =>
        new(
            "conclusions",
            "Conclusions",
            ["The conclusions are valid for this machine and these settings."],
            [
                new XElement("h3", "Supported conclusions"),
                new XElement("ul", Conclusions.May(result).Select(static text => new XElement("li", text))),
                new XElement("h3", "Limits of the comparison"),
                new XElement("ul", Conclusions.ListLimits(result).Select(static text => new XElement("li", text))),
            ]
        );

    private static XElement GetFooter(ComparisonResult result) =>
        new(
            "footer",
            new XElement(
                "p",
                Text($"EventHubThroughput {result.Program.Version} · comparison {result.Comparison.Id} · {result.Comparison.StartedUtc:yyyy-MM-dd HH:mm} UTC")
            )
        );

    // The answer is the heading. The price is written below.
    private static (string Answer, string Price) Parted(string sentence) =>
        sentence.IndexOf(". ", StringComparison.Ordinal) is >= 0 and var end ? (sentence[..(end + 1)], sentence[(end + 2)..]) : (sentence, "");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
