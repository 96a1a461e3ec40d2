using System.Globalization;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>Messages a second over the concurrency, a line for each machine and setting of threads, with what was published beside them.</summary>
internal static class MessageSweepCurves
{
    public static ReportSection Of(MessageSweepResult result)
    {
        var measured = result.Cells.Where(static cell => cell.MessagesPerS is not null).ToList();
        var lines = measured
            .GroupBy(static cell => (Clients: cell.Point.ClientsText, cell.Point.Cores, cell.Point.MemoryGib, Threads: GetThreads(cell.Point)))
            .Select(
                (same, place) =>
                    GetLine(
                        $"{same.Key.Clients}, {same.Key.Cores} {(same.Key.Cores == 1 ? "core" : "cores")}, {same.Key.MemoryGib} GiB{same.Key.Threads}",
                        place,
                        same
                    )
            )
            .ToList();
        return new ReportSection(
            "rate",
            "Messages a second by concurrency",
            ["Points are medians at a concurrency. A line stops rising at the limit of the processors, the memory or the service. The table names the limit."],
            [
                ReportSection.Figure(
                    lines.Count == 0
                        ? null
                        : new LinesChart
                        {
                            Name = "Messages a second by concurrency, a line for each machine and setting of threads",
                            Lines = lines,
                            X = Scale.FromZero(measured.Select(static cell => (double)cell.Point.Concurrency)),
                            XTitle = "messages processed concurrently",
                            Y = Scale.FromZero(lines.SelectMany(static line => line.Points).Select(static point => point.Y)),
                            YTitle = "messages/s",
                        },
                    "No cell has a rate. A chart needs one."
                ),
            ]
        );
    }

    private static string GetThreads(MessagePoint point) =>
        point.Threads == 0 ? ""
        : point.IsFixed ? $", threads {point.ThreadText}"
        : ", threads +";

    private static ChartLine GetLine(string label, int place, IEnumerable<MessageCell> cells) =>
        new()
        {
            Label = label,
            Look = StrategyColours.Of(label, place),
            Points =
            [
                .. cells
                    .GroupBy(static cell => cell.Point.Concurrency)
                    .OrderBy(static same => same.Key)
                    .Select(same => (Concurrency: same.Key, Rate: same.Select(static cell => cell.MessagesPerS!.Value).Median()))
                    .Select(point =>
                        (
                            (double)point.Concurrency,
                            point.Rate,
                            string.Create(CultureInfo.InvariantCulture, $"{label} at {point.Concurrency}: {Figures.Rate(point.Rate)} messages/s")
                        )
                    ),
            ],
        };
}
