using System.Xml.Linq;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>The strategies with their prices side by side, and every two of them.</summary>
internal static class StrategiesSection
{
    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var reference = result.Strategies[0].Label;
        var hasIntervals = all.Any(static one => one.Strategy.EventsPerS95 is not null || one.Strategy.Ratio95 is not null);
        var hasModel = all.Any(static one => one.Strategy.MeasuredToPredicted is not null);
        return new ReportSection(
            "strategies",
            "Strategies",
            [
                $"Ratios refer to {reference}. Repeats are the most events that a crash may repeat on one partition. p50 and p99 are of an event's time from its hand-over until every sink has it. {(result.Settings.IsOpenLoop ? $"Events were sent at {result.Settings.Rate}: those since meant are of an event's time from when it was meant to be sent, and the ratio is of their {(result.Settings.ComparedBy == ComparedBy.P99 ? "p99" : "p50")}, above 1 where it is shorter. " : "")}The rate and its ratio are of the blocks that count, the other figures of all cells that were not kept apart. A column that would be empty is left out.",
            ],
            [
                ReportTable.Of(
                    result.Settings.IsOpenLoop ? "The strategies, the quickest first" : "The strategies, the fastest first",
                    all,
                    [
                        ReportTable.Strategy<ComparedSeries>(static one => one),
                        new ReportColumn<ComparedSeries>("verdict", static one => Badge(one.Strategy.Verdict), IsNumber: false),
                        Number(ComparedFigure.RateName(result.Settings.ComparedBy), static one => one.EventsPerS, Figures.Rate),
                        .. hasIntervals
                            ? new[]
                            {
                                new ReportColumn<ComparedSeries>("95 % interval", static one => ReportTable.Range(one.Strategy.EventsPerS95, Figures.Rate)),
                            }
                            : [],
                        Number($"× {reference}", static one => one.Ratio, Figures.Ratio),
                        .. hasIntervals
                            ? new[]
                            {
                                new ReportColumn<ComparedSeries>("its 95 % interval", static one => ReportTable.Range(one.Strategy.Ratio95, Figures.Ratio)),
                            }
                            : [],
                        Text("against it", static one => one.Word),
                        .. hasModel ? new[] { Number("of the model", static one => one.MeasuredToPredicted, Figures.Percent) } : [],
                        .. result.Settings.IsOpenLoop
                            ?
                            [
                                Number("p50 since meant, ms", static one => one.EndToEndP50Ms, Figures.Ms),
                                Number("p99 since meant, ms", static one => one.EndToEndP99Ms, Figures.Ms),
                                Number("p99.9 since meant, ms", static one => one.EndToEndP999Ms, Figures.Ms),
                                Number("cells that fall behind", static one => one.FallsBehindIn, Figures.Count),
                            ]
                            : Array.Empty<ReportColumn<ComparedSeries>>(),
                        Number("p50, ms", static one => one.EventP50Ms, Figures.Ms),
                        Number("p99, ms", static one => one.EventP99Ms, Figures.Ms),
                        Text("order kept", static one => one.Order),
                        Number("repeats at most", static one => one.RepeatsAtMost, Figures.Count),
                        Number("CPU, µs an event", static one => one.ConsumerCpuUsPerEvent, Figures.Count),
                        Number("cells", static one => one.Cells, Figures.Count),
                    ]
                ),
                SummariesOf(all),
            ]
        );
    }

    /// <summary>A verdict as a word that is seen at a glance, by more than its colour.</summary>
    public static XElement Badge(SafetyVerdict verdict) =>
        verdict switch
        {
            SafetyVerdict.Clean => Badge("clean", "✓ clean"),
            SafetyVerdict.Failed => Badge("failed", "✗ failed"),
            _ => Badge("undecided", "? undecided"),
        };

    private static XElement Badge(string kind, string text) => new("span", new XAttribute("class", $"badge {kind}"), text);

    private static XElement SummariesOf(IReadOnlyList<ComparedSeries> all) =>
        new(
            "dl",
            all.SelectMany(static one =>
                new[]
                {
                    new XElement("dt", one.Label),
                    new XElement("dd", one.Strategy.Summary, one.Strategy.Unsafe is { } why ? new XElement("strong", $" Unsafe: {why}") : null),
                }
            )
        );

    private static ReportColumn<ComparedSeries> Number(string title, Func<ComparedStrategy, double?> of, Func<double?, string> form) =>
        new(title, one => ReportTable.Number(of(one.Strategy), form));

    private static ReportColumn<ComparedSeries> Text(string title, Func<ComparedStrategy, string> of) => new(title, one => of(one.Strategy), IsNumber: false);
}
