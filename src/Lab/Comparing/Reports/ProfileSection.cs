using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The latencies that the profile asked the emulator for, and those that it kept.</summary>
internal static class ProfileSection
{
    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var operations = result
            .Cells.SelectMany(static cell => cell.Result?.Profile.Latencies ?? [])
            .Where(static latency => latency is { Count: > 0, AskedMeanMs: > 0 })
            .Select(static latency => latency.Operation)
            .Distinct(StringComparer.Ordinal)
            .ToList();
        return new ReportSection(
            "profile",
            "Requested and observed latencies",
            [
                $"Difference between the emulator's mean latency of each operation and the profile {result.Settings.Profile}. A point is one cell. The labels are the median of the means and the requested mean.",
                "Hollow points are excluded cells. With few operations the mean may differ by chance, for checkpoints most of all.",
            ],
            operations.Count == 0
                ? [ReportSection.Figure(null, "The profile has no latency to compare.")]
                :
                [
                    .. operations.Select(operation => ReportSection.Figure(GetChart(operation, all), $"No cell has a latency of {operation}.")),
                    ReportTable.Numbers(
                        ReportTable.Of(
                            "Requested and observed latencies, median over all cells",
                            operations.SelectMany(operation =>
                                all.Where(one => OfOperation(one, operation).Any()).Select(one => (Series: one, Operation: operation))
                            ),
                            ReportTable.Strategy<(ComparedSeries Series, string Operation)>(static row => row.Series),
                            new ReportColumn<(ComparedSeries Series, string Operation)>("operation", static row => row.Operation, IsNumber: false),
                            Column("requested mean, ms", static latency => latency.AskedMeanMs),
                            Column("mean, ms", static latency => latency.MeanMs),
                            Column("requested sd, ms", static latency => latency.AskedSdMs),
                            Column("sd, ms", static latency => latency.SdMs),
                            Column("p50, ms", static latency => latency.P50Ms),
                            Column("p99, ms", static latency => latency.P99Ms)
                        )
                    ),
                ]
        );
    }

    private static ReportColumn<(ComparedSeries Series, string Operation)> Column(string title, Func<InjectedLatency, double?> of) =>
        new(title, row => ReportTable.Number(GetMedian(row.Series, row.Operation, of), Figures.Ms));

    private static RowsChart? GetChart(string operation, IReadOnlyList<ComparedSeries> all)
    {
        var rows = all.Where(one => OfOperation(one, operation).Any()).Select(one => GetRow(one, operation)).ToList();
        var ends = rows.SelectMany(static row => row.Points).Select(static point => Math.Abs(point.At)).Append(2).Max();
        return rows.Count == 0
            ? null
            : new RowsChart
            {
                Name = $"{operation}: mean latency in ms, observed and requested: {string.Join("; ", rows.Select(static row => $"{row.Label} {row.Value}"))}",
                Rows = rows,
                Axis = Scale.Linear(-ends, ends),
                Title = $"{operation}: mean compared with the profile, %",
                Form = static value => value > 0 ? $"+{ChartForm.TickText(value)}" : ChartForm.TickText(value).Replace('-', '−'),
                Line = (0, "as requested"),
            };
    }

    private static ChartRow GetRow(ComparedSeries one, string operation) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Value =
                $"{Figures.Ms(GetMedian(one, operation, static latency => latency.MeanMs))} of {Figures.Ms(GetMedian(one, operation, static latency => latency.AskedMeanMs))} ms",
            Points =
            [
                .. OfOperation(one, operation)
                    .Select(static of => new RowPoint(
                        100 * ((of.Latency.MeanMs / of.Latency.AskedMeanMs) - 1),
                        $"block {of.Compared.Block + 1}: {Figures.Ms(of.Latency.MeanMs)} ms over {Figures.Count(of.Latency.Count)} operations",
                        of.Compared.Apart is null ? "dot" : "dot open"
                    )),
            ],
        };

    private static double? GetMedian(ComparedSeries one, string operation, Func<InjectedLatency, double?> of)
    {
        var values = OfOperation(one, operation).Select(latency => of(latency.Latency)).OfType<double>().ToList();
        return values.Count == 0 ? null : MathNet.Numerics.Statistics.Statistics.Median(values);
    }

    private static IEnumerable<(ComparedCell Compared, InjectedLatency Latency)> OfOperation(ComparedSeries one, string operation) =>
        one.Cells.SelectMany(cell =>
            (cell.Result?.Profile.Latencies ?? [])
                .Where(latency => latency is { Count: > 0, AskedMeanMs: > 0 } && latency.Operation == operation)
                .Select(latency => (cell, latency))
        );
}
