using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing.Columns;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The strategies with their prices side by side, and every two of them.</summary>
internal static class StrategiesSection
{
    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var reference = result.Strategies[0].Label;
        return new ReportSection(
            "strategies",
            "Strategies",
            [
                $"Ratios refer to {reference}. Repeats is the most events that a crash may repeat on one partition. p50 and p99 are of an event's time from its hand-over until every sink has it. {(result.Settings.IsOpenLoop ? $"Events were sent at {result.Settings.Rate}: the columns since scheduled count from the scheduled send time, and the ratio is of their {(result.Settings.ComparedBy == ComparedBy.P99 ? "p99" : "p50")}, above 1 where it is shorter. " : "")}The rate and its ratio are of the usable blocks, the other figures of all cells that are not excluded. Empty columns are left out.",
            ],
            [
                ReportTable.Of(
                    result.Settings.IsOpenLoop ? "The strategies, the quickest first" : "The strategies, the fastest first",
                    all,
                    [.. StrategyColumns.Of(result).Select(GetColumn)]
                ),
                GetSummaries(all),
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

    private static XElement GetSummaries(IReadOnlyList<ComparedSeries> all) =>
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

    private static ReportColumn<ComparedSeries> GetColumn(StrategyColumn column) =>
        column.Kind switch
        {
            ColumnKind.Label => ReportTable.Strategy<ComparedSeries>(static one => one),
            ColumnKind.Verdict => new(column.Title, static one => Badge(one.Strategy.Verdict), IsNumber: false),
            ColumnKind.Number => new(column.Title, one => GetNumber(column, one.Strategy)),
            ColumnKind.Range => new(column.Title, one => ReportTable.Range(column.Range!(one.Strategy), column.Form)),
            _ => new(column.Title, one => column.Of(one.Strategy), IsNumber: false),
        };

    private static object GetNumber(StrategyColumn column, ComparedStrategy strategy) =>
        column.GetExcluded(strategy) is { } excluded
            ? new[] { "(", ReportTable.Number(excluded, column.Form), ")" }
            : ReportTable.Number(column.Number!(strategy), column.Form);
}
