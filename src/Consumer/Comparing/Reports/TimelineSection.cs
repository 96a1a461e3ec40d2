using EventHubThroughput.Consumer.Results;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>Rates over time, all cells laid over each other at the beginning of their measured section.</summary>
internal static class TimelineSection
{
    public static ReportSection Of(IReadOnlyList<ComparedSeries> all)
    {
        var lines = all.Select(LineOf).Where(static line => line.Points.Count > 1).ToList();
        var values = lines.SelectMany(static line => line.Band.SelectMany(static band => new[] { band.Low, band.High })).ToList();
        return new ReportSection(
            "time",
            "Rate over time",
            [
                "All cells begin at t = 0, the end of their warm-up. The line is the median over the cells not kept apart in each window of time, drawn at its middle; the band reaches from the slowest of them to the fastest.",
                "A line that still rises or falls says that the warm-up was too short, or the measurement.",
            ],
            [
                ReportSection.Figure(
                    lines.Count == 0
                        ? null
                        : new LinesChart
                        {
                            Name = "Events a second over the measured time, a line for each strategy",
                            Lines = lines,
                            X = Scale.Exactly(
                                0,
                                all.Select(WindowsOf).Where(static windows => windows.Count > 0).Max(static windows => windows[^1].StartS + LengthOf(windows))
                            ),
                            XTitle = "s since the end of the warm-up",
                            Y = Scale.Fitting(values),
                            YTitle = "events/s",
                        },
                    "No cell that counts was measured for two windows of time or more: there is nothing to draw over time."
                ),
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Events/s by window, median over the cells not kept apart",
                        all.SelectMany(static one => WindowsOf(one).Select(window => (Series: one, Window: window))),
                        ReportTable.Strategy<(ComparedSeries Series, Window Window)>(static row => row.Series),
                        new ReportColumn<(ComparedSeries Series, Window Window)>(
                            "from, s",
                            static row => ReportTable.Number(row.Window.StartS, static value => Figures.Exact(value))
                        ),
                        new ReportColumn<(ComparedSeries Series, Window Window)>("median", static row => ReportTable.Number(row.Window.Median, Figures.Rate)),
                        new ReportColumn<(ComparedSeries Series, Window Window)>("slowest", static row => ReportTable.Number(row.Window.Low, Figures.Rate)),
                        new ReportColumn<(ComparedSeries Series, Window Window)>("fastest", static row => ReportTable.Number(row.Window.High, Figures.Rate))
                    )
                ),
            ]
        );
    }

    private static ChartLine LineOf(ComparedSeries one)
    {
        var windows = WindowsOf(one);
        var half = LengthOf(windows) / 2;
        return new ChartLine
        {
            Label = one.Label,
            Look = one.Look,
            Points =
            [
                .. windows.Select(window =>
                    (window.StartS + half, window.Median, $"{one.Label} from {Figures.Exact(window.StartS)} s: {Figures.Rate(window.Median)} events/s")
                ),
            ],
            Band = [.. windows.Select(window => (window.StartS + half, window.Low, window.High))],
        };
    }

    private static List<Window> WindowsOf(ComparedSeries one) =>
        [
            .. one
                .Counted.SelectMany(static result => result.Time.Windows)
                .GroupBy(static window => window.StartS)
                .OrderBy(static same => same.Key)
                .Select(static same => WindowOf(same.Key, [.. same.Select(static window => window.EventsPerS)])),
        ];

    // All windows have the length of the first.
    private static double LengthOf(List<Window> windows) => windows.Count > 1 ? windows[1].StartS - windows[0].StartS : 0;

    private static Window WindowOf(double startS, double[] rates) => new(startS, rates.Median(), rates.Min(), rates.Max());

    private sealed record Window(double StartS, double Median, double Low, double High);
}
