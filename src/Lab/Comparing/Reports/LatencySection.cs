using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>How long an event takes, by percentiles: while it is written, and in an open loop also since its scheduled send time.</summary>
internal static class LatencySection
{
    private static readonly (double Percentile, string Text, Func<StageFigures, double?> Of)[] Percentiles =
    [
        (50, "p50", static stage => stage.P50Ms),
        (75, "p75", static stage => stage.P75Ms),
        (90, "p90", static stage => stage.P90Ms),
        (95, "p95", static stage => stage.P95Ms),
        (99, "p99", static stage => stage.P99Ms),
        (99.9, "p99.9", static stage => stage.P999Ms),
        (99.99, "p99.99", static stage => stage.P9999Ms),
    ];

    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var isOpenLoop = result.Settings.IsOpenLoop;
        string[] stages = isOpenLoop ? ["endtoend", "event"] : ["event"];
        return new ReportSection(
            "latency",
            "Time of an event",
            [
                "Each line joins percentiles, each the median over the cells that are not excluded. A percentile is drawn where at least half of the cells have enough events for it. Between two points the line is a guide for the eye.",
                isOpenLoop
                    ? $"Events were sent at {result.Settings.Rate}. The upper chart counts from the scheduled send time of an event until every sink has it. The lower chart counts from its hand-over to the strategy."
                    : "The hub was filled before the run: this is the time from hand-over until every sink has an event, not the time since it was sent.",
            ],
            [
                .. stages.Select(stage =>
                    ReportSection.Figure(GetChart(stage, all), $"No usable cell has completed enough events for a percentile {GetOrigin(stage)}.")
                ),
                .. stages.Select(stage => GetTable(stage, all)),
            ]
        );
    }

    private static LinesChart? GetChart(string stage, IReadOnlyList<ComparedSeries> all)
    {
        var lines = all.Select(one => GetLine(one, stage)).Where(static line => line.Points.Count > 0).ToList();
        var known = Percentiles.Where(percentile => lines.Exists(line => line.Points.Any(point => point.X == GetPlace(percentile.Percentile)))).ToList();
        return lines.Count == 0
            ? null
            : new LinesChart
            {
                Name = $"Time of an event {GetOrigin(stage)} by percentile, a line for each strategy",
                Lines = lines,
                X = Scale.Exactly(GetPlace(known[0].Percentile), GetPlace(known[^1].Percentile)),
                XTitle = "percentile of the events",
                XTicks = [.. known.Select(static percentile => (GetPlace(percentile.Percentile), percentile.Text))],
                Y = Scale.Fitting([.. lines.SelectMany(static line => line.Points).Select(static point => point.Y)], 4),
                YTitle = stage == "event" ? $"ms {GetOrigin(stage)}" : "ms since the scheduled send time",
            };
    }

    private static XElement GetTable(string stage, IReadOnlyList<ComparedSeries> all) =>
        ReportTable.Numbers(
            ReportTable.Of(
                $"Time of an event in ms {GetOrigin(stage)}, median over the cells that are not excluded",
                all,
                [
                    ReportTable.Strategy<ComparedSeries>(static one => one),
                    .. Percentiles.Select(percentile => new ReportColumn<ComparedSeries>(
                        percentile.Text,
                        one => ReportTable.Number(GetValue(one, stage, percentile.Of), Figures.Ms)
                    )),
                ]
            )
        );

    private static string GetOrigin(string stage) =>
        stage == "event" ? "from hand-over until every sink has it" : "from the scheduled send time until every sink has it";

    private static ChartLine GetLine(ComparedSeries one, string stage) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Points =
            [
                .. Percentiles
                    .Select(percentile => (percentile.Text, X: GetPlace(percentile.Percentile), Y: GetValue(one, stage, percentile.Of)))
                    .Where(static point => point.Y is not null)
                    .Select(point => (point.X, point.Y!.Value, $"{one.Label} {point.Text}: {Figures.Ms(point.Y)} ms")),
            ],
        };

    private static double? GetValue(ComparedSeries one, string stage, Func<StageFigures, double?> percentile)
    {
        double? In(RunResult result) => ComparedSeries.Stage(result, stage) is { } figures ? percentile(figures) : null;
        return 2 * one.Counted.Count(result => In(result) is not null) >= one.Counted.Count ? one.Median(In) : null;
    }

    // On the axis, every further nine has the same distance.
    private static double GetPlace(double percentile) => -Math.Log10(1 - (percentile / 100));
}
