using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>What the processes cost.</summary>
internal static class ProcessorSection
{
    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var rows = all.Select(RowOf).Where(static row => row.Bars.Count > 0).ToList();
        var sender = all.Any(static one => one.Median(static result => result.Resources.Sender.CpuS) is not null);
        return new ReportSection(
            "processor",
            "Processor time",
            [
                "Processor time for an event: the consumer above, solid; the emulator below, pale. A slow strategy pays for every second in which the process is merely there, so that its events cost more.",
                sender ? "The sender's time is in the numbers, over its whole life."
                : result.Settings.IsOpenLoop ? "Each cell has a sender of its own beside it, whose time is not read."
                : "The sender filled the hub once, before the first cell: no cell has a share of it.",
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
                    "No cell that counts knows its processor time."
                ),
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Processor time and memory, median over the cells not kept apart",
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
                        ReportTable.Of("pauses for garbage, ms", static one => one.Median(static cell => cell.Resources.Consumer.GcPauseMs), Figures.Ms),
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
                $"Of the consumer's time {Figures.Ratio(overhead.HarnessCpuUsPerEvent)} µs of each event are those of tracking, checks, timing and metrics, whatever the strategy; they allocate {Figures.Count(overhead.HarnessAllocatedBytesPerEvent)} bytes.",
            ];

    private static ChartRow RowOf(ComparedSeries one)
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
