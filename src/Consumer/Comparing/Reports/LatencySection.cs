using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>How long an event takes, by percentiles.</summary>
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

    public static ReportSection Of(IReadOnlyList<ComparedSeries> all)
    {
        var lines = all.Select(LineOf).Where(static line => line.Points.Count > 0).ToList();
        var known = Percentiles.Where(percentile => lines.Exists(line => line.Points.Any(point => point.X == PlaceOf(percentile.Percentile)))).ToList();
        var chart =
            lines.Count == 0
                ? null
                : new LinesChart
                {
                    Name = "Time of an event by percentile, a line for each strategy",
                    Lines = lines,
                    X = Scale.Exactly(PlaceOf(known[0].Percentile), PlaceOf(known[^1].Percentile)),
                    XTitle = "percentile of the events",
                    XTicks = [.. known.Select(static percentile => (PlaceOf(percentile.Percentile), percentile.Text))],
                    Y = Scale.Fitting([.. lines.SelectMany(static line => line.Points).Select(static point => point.Y)], 4),
                    YTitle = "ms from hand-over until every sink has the event",
                };
        return new ReportSection(
            "latency",
            "Time of an event",
            [
                "Each line joins the percentiles of the results, as the median over the cells not kept apart; a percentile is drawn where at least half of them have events enough for it. Between two points the line is a guide for the eye.",
                "The hub was filled before: this is the time that an event spends being written, not the time since it was sent.",
            ],
            [
                ReportSection.Figure(chart, "No cell that counts has completed events enough for a percentile."),
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Time of an event in ms, median over the cells not kept apart",
                        all,
                        [
                            ReportTable.Strategy<ComparedSeries>(static one => one),
                            .. Percentiles.Select(percentile => new ReportColumn<ComparedSeries>(
                                percentile.Text,
                                one => ReportTable.Number(ValueOf(one, percentile.Of), Figures.Ms)
                            )),
                        ]
                    )
                ),
            ]
        );
    }

    private static ChartLine LineOf(ComparedSeries one) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Points =
            [
                .. Percentiles
                    .Select(percentile => (percentile.Text, X: PlaceOf(percentile.Percentile), Y: ValueOf(one, percentile.Of)))
                    .Where(static point => point.Y is not null)
                    .Select(point => (point.X, point.Y!.Value, $"{one.Label} {point.Text}: {Figures.Ms(point.Y)} ms")),
            ],
        };

    private static double? ValueOf(ComparedSeries one, Func<StageFigures, double?> percentile)
    {
        double? In(RunResult result) => ComparedSeries.Stage(result, "event") is { } stage ? percentile(stage) : null;
        return 2 * one.Counted.Count(result => In(result) is not null) >= one.Counted.Count ? one.Median(In) : null;
    }

    // Every further nine is as far as the one before.
    private static double PlaceOf(double percentile) => -Math.Log10(1 - (percentile / 100));
}
