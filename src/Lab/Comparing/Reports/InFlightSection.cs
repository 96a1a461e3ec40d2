using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>How many events were in flight concurrently, and the degree that allowed it.</summary>
internal static class InFlightSection
{
    private static readonly WindowedFigure OverTime = new(
        "events in flight over all partitions",
        "Events in flight over the measured time, a line for each strategy",
        static window => window.MeanInFlight,
        Figures.Ms
    );

    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var partitions = Math.Max(1, result.Settings.Partitions);
        var rows = all.Where(static one => one.Counted.Count > 0).Select(one => GetRow(one, partitions)).ToList();
        var degrees = all.Select(GetDegrees).OfType<ChartLine>().ToList();
        return new ReportSection(
            "in-flight",
            "In flight and degree",
            [
                "The bar is the mean of the events in flight on a partition, by Little's law from rate and time of an event. The point is the maximum in flight. The vertical line is the degree, which for batched limits operations.",
                "A mean far below the degree shows another limit than the degree: the size of a batch, or the wait for its slowest event.",
                "Over time it is the mean count of each window over all partitions. The line is the median over the cells, the band their range.",
                degrees.Count > 0
                    ? "The degree over time is that of one partition in the first usable cell, as the strategy set it."
                    : "None of these strategies adapts its degree, so the degree has no chart over time.",
            ],
            [
                ReportSection.Figure(
                    rows.Count == 0
                        ? null
                        : new RowsChart
                        {
                            Name = $"Events in flight on a partition: {string.Join("; ", rows.Select(static row => $"{row.Label}: {row.Value}"))}",
                            Rows = rows,
                            Axis = Scale.FromZero(
                                rows.SelectMany(static row =>
                                    row.Bars.Select(static bar => bar.To).Concat(row.Points.Select(static point => point.At)).Append(row.Tick?.At ?? 0)
                                )
                            ),
                            Title = "events in flight on a partition",
                        },
                    "No cell is usable."
                ),
                OverTime.Figure(all),
                .. degrees.Count == 0
                    ? Array.Empty<System.Xml.Linq.XElement>()
                    :
                    [
                        ReportSection.Figure(
                            new LinesChart
                            {
                                Name = "Degree over time, a line for each strategy that adapts it",
                                Lines = degrees,
                                X = Scale.Exactly(0, degrees.Max(static line => line.Points[^1].X)),
                                XTitle = "s since the first batch of the run",
                                Y = Scale.FromZero(degrees.SelectMany(static line => line.Points).Select(static point => point.Y)),
                                YTitle = "degree in force",
                            },
                            ""
                        ),
                    ],
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Events in flight on a partition, median over the cells that are not excluded",
                        all,
                        ReportTable.Strategy<ComparedSeries>(static one => one),
                        ReportTable.Of("mean", one => GetMean(one, partitions), Figures.Ms),
                        ReportTable.Of("most", static one => GetMaximum(one), Figures.Count),
                        ReportTable.Of("degree", static one => GetDegree(one), Figures.Count),
                        ReportTable.Of("events a batch at most", static one => one.Median(static cell => cell.Strategy.BatchMax), Figures.Count)
                    )
                ),
                OverTime.Table(all, "least", "most"),
            ]
        );
    }

    private static ChartRow GetRow(ComparedSeries one, int partitions)
    {
        var (mean, most, degree) = (GetMean(one, partitions), GetMaximum(one), GetDegree(one));
        return new ChartRow
        {
            Label = one.Label,
            Look = one.Look,
            Value = $"{Figures.Ms(mean)} of {Figures.Count(degree)}",
            Bars = mean is { } ends ? [new RowBar(0, ends, $"mean {Figures.Ms(mean)} in flight")] : [],
            Points = most is { } at ? [new RowPoint(at, $"at most {Figures.Count(most)} in flight", "median")] : [],
            Tick = degree is { } limit ? (limit, "degree") : null,
        };
    }

    // Of one partition: several would be several lines of one colour.
    private static ChartLine? GetDegrees(ComparedSeries one)
    {
        var cell = one.Counted.FirstOrDefault(static result => result.Strategy.DegreesInForce is { Count: > 0 });
        if (cell?.Strategy.DegreesInForce is not { } degrees)
        {
            return null;
        }

        var partition = degrees.Select(static degree => degree.Partition).Order(StringComparer.Ordinal).First();
        return new ChartLine
        {
            Label = one.Label,
            Look = one.Look,
            IsStepped = true,
            Points =
            [
                .. degrees
                    .Where(degree => degree.Partition == partition)
                    .Select(degree => (degree.AtS, (double)degree.Degree, $"{one.Label} from {Figures.Ratio(degree.AtS)} s: {degree.Degree}")),
            ],
        };
    }

    private static double? GetMean(ComparedSeries one, int partitions) =>
        one.Median(result => ComparedSeries.Stage(result, "event")?.MeanInFlight / partitions);

    private static double? GetMaximum(ComparedSeries one) => one.Median(static result => result.Strategy.DegreeReached.Max);

    private static double? GetDegree(ComparedSeries one) => one.Median(static result => result.Strategy.Degree);
}
