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
    public static string Of(ComparisonResult labelled)
    {
        var result = ShortNames.In(labelled);
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
        var title = $"Comparison of {string.Join(", ", result.Strategies.Select(static one => one.Name).Distinct())}";
        return HtmlPage.Of(
            title,
            result.Program.Version,
            ReportHeader.Of(result, all),
            GetContents(sections),
            HtmlPage.GetSections(sections),
            GetFooter(result)
        );
    }

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

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
