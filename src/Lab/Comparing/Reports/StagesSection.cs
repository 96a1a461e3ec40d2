using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The parts of the time: of an event at each sink, and of the partition between events.</summary>
internal static class StagesSection
{
    // Which of the emulator's operations a write to a sink is.
    private static readonly (string Stage, string Name, string? Operation)[] Writes =
    [
        ("event", "event", null),
        ("servicebus", "message", "messageSend"),
        ("blob", "blob", "blobWrite"),
    ];

    // The partition is ahead of its writes while it waits for a slot. Nothing is lost by that, so its bar is pale.
    private static readonly (string Stage, string Short, string Name, string Kind)[] Waits =
    [
        ("checkpoint", "checkpoint", "writing checkpoints", "bar"),
        ("window", "all slots in use", "waiting for a slot (window or replay limit)", "bar pale"),
        ("receive", "no batch", "waiting for a batch", "bar"),
    ];

    public static ReportSection Of(ComparisonResult result, IReadOnlyList<ComparedSeries> all)
    {
        var rows = all.Select(GetRow).Where(static row => row.Bars.Count > 0).ToList();
        var shares = all.Select(one => GetShare(one, result.Settings.Partitions)).Where(static row => row.Bars.Count > 0).ToList();
        var onEmulator = result.Settings.Services is null;
        return new ReportSection(
            "stages",
            "Where the time goes",
            [
                $"The upper chart shows for each strategy the whole event, its message and its blob.{(onEmulator ? " The solid part is the emulator's latency. The pale part is the rest: waiting in the sender link, and the wire." : "")} Message and blob add up to the event where the sinks are written in turn, and overlap where they are written concurrently.",
                "The lower chart shows the share of the measured time in which the partition wrote a checkpoint, waited for a slot, or waited for a batch. They may overlap, and a strategy may continue with events in the meantime.",
                "A pale bar costs nothing: all slots are in use, and the next event is ready.",
                .. onEmulator ? new[] { "The emulator's mean covers the whole cell, that of the stages the measured section." } : [],
            ],
            [
                ReportSection.Figure(
                    rows.Count == 0
                        ? null
                        : new RowsChart
                        {
                            Name = $"Mean time of an event and of its writes: {string.Join("; ", rows.Select(static row => row.Spoken))}",
                            Rows = rows,
                            Lanes = Writes.Length,
                            Axis = Scale.FromZero(rows.SelectMany(static row => row.Bars).Select(static bar => bar.To)),
                            Title = "mean, ms",
                        },
                    "No usable cell has measured an event."
                ),
                ReportSection.Figure(
                    shares.Count == 0
                        ? null
                        : new RowsChart
                        {
                            Name = $"Share of the time: {string.Join("; ", shares.Select(static row => row.Spoken))}",
                            Rows = shares,
                            Lanes = Waits.Length,
                            Axis = Scale.FromZero(shares.SelectMany(static row => row.Bars).Select(static bar => bar.To)),
                            Title = "% of the measured time",
                        },
                    "No usable cell has stored a checkpoint or waited."
                ),
                ReportTable.Numbers(
                    ReportTable.Of(
                        "Mean times in ms and shares of the measured time, median over the cells that are not excluded",
                        all,
                        [
                            ReportTable.Strategy<ComparedSeries>(static one => one),
                            .. Writes.Select(write => new ReportColumn<ComparedSeries>(
                                $"{write.Name}, ms",
                                one => ReportTable.Number(GetMean(one, write.Stage), Figures.Ms)
                            )),
                            .. Writes
                                .Where(write => onEmulator && write.Operation is not null)
                                .Select(write => new ReportColumn<ComparedSeries>(
                                    $"{write.Name} in the emulator, ms",
                                    one => ReportTable.Number(GetKept(one, write.Operation!), Figures.Ms)
                                )),
                            .. Waits.Select(wait => new ReportColumn<ComparedSeries>(
                                wait.Name,
                                one => ReportTable.Number(GetShare(one, wait.Stage, result.Settings.Partitions), Figures.Percent)
                            )),
                        ]
                    )
                ),
            ]
        );
    }

    private static ChartRow GetRow(ComparedSeries one) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Bars = [.. Writes.SelectMany((write, lane) => GetBars(one, write.Stage, write.Name, write.Operation, lane))],
        };

    private static IEnumerable<RowBar> GetBars(ComparedSeries one, string stage, string name, string? operation, int lane)
    {
        if (GetMean(one, stage) is not { } mean)
        {
            return [];
        }

        var inEmulator = operation is null ? null : GetKept(one, operation);
        var kept = Math.Min(inEmulator ?? mean, mean);
        var label = $"{name} {Figures.Ms(mean)}";
        return
        [
            new RowBar(
                0,
                kept,
                $"{name}: {Figures.Ms(mean)} ms, {(inEmulator is null ? "not split" : $"of which {Figures.Ms(kept)} ms in the emulator")}",
                Lane: lane,
                Label: kept < mean ? null : label
            ),
            .. kept < mean
                ? new[] { new RowBar(kept, mean, $"{name}: {Figures.Ms(mean - kept)} ms beyond the emulator's latency", "bar pale", lane, label) }
                : [],
        ];
    }

    private static ChartRow GetShare(ComparedSeries one, int partitions) =>
        new()
        {
            Label = one.Label,
            Look = one.Look,
            Bars =
            [
                .. Waits
                    .Select((wait, lane) => (wait, lane, Share: GetShare(one, wait.Stage, partitions)))
                    .Where(static row => row.Share is not null)
                    .Select(static row => new RowBar(
                        0,
                        100 * row.Share!.Value,
                        $"{row.wait.Name}: {Figures.Percent(row.Share)}",
                        row.wait.Kind,
                        Lane: row.lane,
                        Label: $"{row.wait.Short} {Figures.Percent(row.Share)}"
                    )),
            ],
        };

    private static double? GetMean(ComparedSeries one, string stage) => one.Median(result => ComparedSeries.Stage(result, stage)?.MeanMs);

    private static double? GetKept(ComparedSeries one, string operation) =>
        one.Median(result => result.Profile.Latencies.FirstOrDefault(latency => latency.Operation == operation && latency.Count > 0)?.MeanMs);

    // Time spent in a stage by the time that was measured, for one partition.
    private static double? GetShare(ComparedSeries one, string stage, int partitions) =>
        one.Median(result => ComparedSeries.Stage(result, stage)?.MeanInFlight / Math.Max(1, partitions));
}
