using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A figure of every window of time, all cells laid over each other at the beginning of their measured section.</summary>
/// <param name="Name">What it is, with its unit: events/s.</param>
/// <param name="Spoken">The text alternative of the chart, for screen readers.</param>
/// <param name="Of">The figure. Null where a window lacks it.</param>
/// <param name="Form">How it is written.</param>
internal sealed record WindowedFigure(string Name, string Spoken, Func<TimeWindow, double?> Of, Func<double?, string> Form)
{
    /// <summary>The medians over the cells that are not excluded, as lines within bands from the least to the most. Or why there is no chart.</summary>
    public XElement Figure(IReadOnlyList<ComparedSeries> all)
    {
        var lines = all.Select(GetLine).Where(static line => line.Points.Count > 1).ToList();
        return ReportSection.Figure(
            lines.Count == 0
                ? null
                : new LinesChart
                {
                    Name = Spoken,
                    Lines = lines,
                    X = Scale.Exactly(
                        0,
                        all.Select(GetWindows).Where(static windows => windows.Count > 0).Max(static windows => windows[^1].StartS + GetLength(windows))
                    ),
                    XTitle = "s since the end of the warm-up",
                    Y = Scale.Fitting([.. lines.SelectMany(static line => line.Band.SelectMany(static band => new[] { band.Low, band.High }))]),
                    YTitle = Name,
                },
            "No usable cell was measured for two windows or more. A chart over time needs two."
        );
    }

    /// <summary>The numbers of the same.</summary>
    /// <param name="all">The strategies.</param>
    /// <param name="low">The name of the least.</param>
    /// <param name="high">The name of the most.</param>
    public XElement Table(IReadOnlyList<ComparedSeries> all, string low, string high) =>
        ReportTable.Numbers(
            ReportTable.Of(
                $"{char.ToUpperInvariant(Name[0])}{Name[1..]} by window, median over the cells that are not excluded",
                all.SelectMany(one => GetWindows(one).Select(window => (Series: one, Window: window))),
                ReportTable.Strategy<(ComparedSeries Series, Window Window)>(static row => row.Series),
                new ReportColumn<(ComparedSeries Series, Window Window)>(
                    "from, s",
                    static row => ReportTable.Number(row.Window.StartS, static value => Figures.Exact(value))
                ),
                new ReportColumn<(ComparedSeries Series, Window Window)>("median", row => ReportTable.Number(row.Window.Median, Form)),
                new ReportColumn<(ComparedSeries Series, Window Window)>(low, row => ReportTable.Number(row.Window.Low, Form)),
                new ReportColumn<(ComparedSeries Series, Window Window)>(high, row => ReportTable.Number(row.Window.High, Form))
            )
        );

    private ChartLine GetLine(ComparedSeries one)
    {
        var windows = GetWindows(one);
        var half = GetLength(windows) / 2;
        return new ChartLine
        {
            Label = one.Label,
            Look = one.Look,
            Points =
            [
                .. windows.Select(window =>
                    (window.StartS + half, window.Median, $"{one.Label} from {Figures.Exact(window.StartS)} s: {Form(window.Median)} {Name}")
                ),
            ],
            Band = [.. windows.Select(window => (window.StartS + half, window.Low, window.High))],
        };
    }

    private List<Window> GetWindows(ComparedSeries one) =>
        [
            .. one
                .Counted.SelectMany(static result => result.Time.Windows)
                .Select(window => (window.StartS, Value: Of(window)))
                .Where(static window => window.Value is not null)
                .GroupBy(static window => window.StartS)
                .OrderBy(static same => same.Key)
                .Select(static same => GetWindow(same.Key, [.. same.Select(static window => window.Value!.Value)])),
        ];

    // All windows have the length of the first.
    private static double GetLength(List<Window> windows) => windows.Count > 1 ? windows[1].StartS - windows[0].StartS : 0;

    private static Window GetWindow(double startS, double[] values) => new(startS, values.Median(), values.Min(), values.Max());

    private sealed record Window(double StartS, double Median, double Low, double High);
}
