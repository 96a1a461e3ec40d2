using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Whether the consumer had threads enough.</summary>
internal static class ThreadPoolSection
{
    public static ReportSection Of(IReadOnlyList<ComparedSeries> all)
    {
        var rows = all.Select(GetRow).OfType<ChartRow>().ToList();
        return new ReportSection(
            "threads",
            "Thread pool",
            [
                "The bar is the mean number of threads of the consumer's pool, the point the maximum. A pool that grows during the measurement was too small at the start.",
                "Work that waits for a thread delays its event. A long queue shows that events wait inside the consumer for a thread.",
            ],
            [
                ReportSection.Figure(
                    rows.Count == 0
                        ? null
                        : new RowsChart
                        {
                            Name = $"Threads of the pool: {string.Join("; ", rows.Select(static row => $"{row.Label}: {row.Value}"))}",
                            Rows = rows,
                            Axis = Scale.FromZero(rows.SelectMany(static row => row.Points).Select(static point => point.At)),
                            Title = "threads of the consumer's pool",
                        },
                    "No usable cell has figures of its thread pool."
                ),
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Threads and queued work, median over the cells that are not excluded",
                        all,
                        ReportTable.Strategy<ComparedSeries>(static one => one),
                        ReportTable.Of("threads, mean", static one => GetMean(one), Figures.Ratio),
                        ReportTable.Of("threads, most", static one => GetMaximum(one), Figures.Count),
                        ReportTable.Of("waiting work, p99", static one => one.Median(static cell => cell.Resources.Consumer.ThreadPoolQueueP99), Figures.Count),
                        ReportTable.Of(
                            "waiting work, most",
                            static one => one.Median(static cell => cell.Resources.Consumer.ThreadPoolQueueMax),
                            Figures.Count
                        ),
                        ReportTable.Of("waits for a lock", static one => one.Median(static cell => cell.Resources.Consumer.LockContentions), Figures.Count),
                        ReportTable.Of("open files and sockets", static one => one.Median(static cell => cell.Resources.Consumer.Handles), Figures.Count)
                    )
                ),
            ]
        );
    }

    private static ChartRow? GetRow(ComparedSeries one) =>
        (GetMean(one), GetMaximum(one)) is ({ } mean, { } most)
            ? new ChartRow
            {
                Label = one.Label,
                Look = one.Look,
                Value = $"{Figures.Ratio(mean)}, at most {Figures.Count(most)}",
                Bars = [new RowBar(0, mean, $"mean {Figures.Ratio(mean)} threads")],
                Points = [new RowPoint(most, $"at most {Figures.Count(most)} threads", "median")],
            }
            : null;

    private static double? GetMean(ComparedSeries one) => one.Median(static cell => cell.Resources.Consumer.Threads?.Mean);

    private static double? GetMaximum(ComparedSeries one) => one.Median(static cell => cell.Resources.Consumer.Threads?.Max);
}
