using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>What the processes cost.</summary>
internal static class ProcessorSection
{
    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var rows = all.Select(GetRow).Where(static row => row.Bars.Count > 0).ToList();
        var sender = all.Any(static one => one.Median(static result => result.Resources.Sender.CpuS) is not null);
        return new ReportSection(
            "processor",
            "Processor time",
            [
                $"Processor time per event: {(result.Settings.Services is null ? "the upper solid bar is the consumer, the lower pale bar the emulator" : "the bar is the consumer")}. A slow strategy also pays for the idle time of its process, so its events cost more.",
                sender ? "The table includes the time of the sender, over its whole run."
                : result.Settings.IsOpenLoop ? "Each cell has a separate sender, whose time is not measured."
                : "The sender filled the hub once, before the first cell. Its time is not part of a cell.",
                .. Harness(result.Overhead),
            ],
            [
                ReportSection.Figure(
                    rows.Count == 0
                        ? null
                        : new RowsChart
                        {
                            Name =
                                $"Processor time for an event in microseconds, consumer and emulator: {string.Join("; ", rows.Select(static row => row.Spoken))}",
                            Rows = rows,
                            Lanes = 2,
                            Axis = Scale.FromZero(rows.SelectMany(static row => row.Bars).Select(static bar => bar.To)),
                            Title = "µs of processor time an event",
                        },
                    "No usable cell has its processor time."
                ),
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Processor time and memory, median over the cells that are not excluded",
                        all,
                        ReportTable.Strategy<ComparedSeries>(static one => one),
                        ReportTable.Of("consumer, µs an event", static one => one.Strategy.ConsumerCpuUsPerEvent, Figures.Count),
                        ReportTable.Of("emulator, µs an event", static one => one.Strategy.EmulatorCpuUsPerEvent, Figures.Count),
                        ReportTable.Of(
                            "consumer, processors",
                            static one => one.Median(static cell => cell.Resources.Consumer.CpuS / cell.Time.MeasuredS),
                            Figures.Ratio
                        ),
                        ReportTable.Of(
                            "emulator, processors",
                            static one => one.Median(static cell => cell.Resources.Emulator.CpuS / cell.Time.MeasuredS),
                            Figures.Ratio
                        ),
                        ReportTable.Of("sender, s", static one => one.Median(static cell => cell.Resources.Sender.CpuS), Figures.Ratio),
                        ReportTable.Of(
                            "consumer allocates, bytes an event",
                            static one => one.Median(static cell => cell.Resources.Consumer.AllocatedBytesPerEvent),
                            Figures.Count
                        ),
                        ReportTable.Of("GC pauses, ms", static one => one.Median(static cell => cell.Resources.Consumer.GcPauseMs), Figures.Ms),
                        ReportTable.Of("consumer, peak MiB", static one => one.Strategy.ConsumerPeakRssBytes, Figures.Mebibytes),
                        ReportTable.Of("checkpoints per 1,000 events", static one => one.Strategy.CheckpointsPerThousand, Figures.Ratio)
                    )
                ),
            ]
        );
    }

    private static string[] Harness(OverheadDetails? overhead) =>
        overhead is null
            ? []
            :
            [
                $"Tracking, checks, timing and metrics take {Figures.Ratio(overhead.HarnessCpuUsPerEvent)} µs of the consumer's time for each event of any strategy. They allocate {Figures.Count(overhead.HarnessAllocatedBytesPerEvent)} bytes.",
            ];

    private static ChartRow GetRow(ComparedSeries one)
    {
        var (consumer, emulator) = (one.Strategy.ConsumerCpuUsPerEvent, one.Strategy.EmulatorCpuUsPerEvent);
        return new ChartRow
        {
            Label = one.Label,
            Look = one.Look,
            Bars =
            [
                .. consumer is { } own
                    ? new[] { new RowBar(0, own, $"consumer {Figures.Count(own)} µs an event", Label: $"consumer {Figures.Count(own)}") }
                    : [],
                .. emulator is { } others
                    ? new[] { new RowBar(0, others, $"emulator {Figures.Count(others)} µs an event", "bar pale", 1, $"emulator {Figures.Count(others)}") }
                    : [],
            ],
        };
    }
}
