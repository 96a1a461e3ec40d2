using System.Globalization;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A column with a figure or a fact of a cell.</summary>
/// <param name="Name">Its name, with the unit.</param>
/// <param name="Of">The column's value for a cell. Empty where it is missing.</param>
/// <param name="IsNumber">Whether that is a number.</param>
internal sealed record CellColumn(string Name, Func<ComparisonResult, ComparedCell, string> Of, bool IsNumber = false);

/// <summary>
/// The columns of every cell, to the last digit, by the same names in the CSV form and in the HTML form. Blocks and places count from 0, as in the JSON.
/// </summary>
internal static class CellColumns
{
    /// <summary>Which cell it is, and whether it counts.</summary>
    public static IReadOnlyList<CellColumn> Names { get; } =
    [
        Text("label", static (_, cell) => cell.Label),
        Text("strategy", static (result, cell) => result.Strategies.FirstOrDefault(one => one.Label == cell.Label)?.Name ?? ""),
        new("block", static (_, cell) => Figures.Exact(cell.Block), IsNumber: true),
        new("place_in_block", static (_, cell) => Figures.Exact(cell.OrderInBlock), IsNumber: true),
        Text("counts", static (result, cell) => cell.Apart is null && !result.DiscardedBlocks.Contains(cell.Block) ? "true" : "false"),
        Text("block_discarded", static (result, cell) => result.DiscardedBlocks.Contains(cell.Block) ? "true" : "false"),
        Text("kept_apart_because", static (_, cell) => cell.Apart ?? ""),
        Text("mark", static (_, cell) => cell.Mark ?? ""),
    ];

    /// <summary>Its figures.</summary>
    public static IReadOnlyList<CellColumn> Measured { get; } =
    [
        new("profile_missed_by_ratio", static (_, cell) => Figures.Exact(cell.ProfileMissedBy), IsNumber: true),
        Number("events_per_s", static run => run.Throughput.EventsPerS),
        Number("events", static run => run.Throughput.Events),
        Number("measured_s", static run => run.Time.MeasuredS),
        Number("predicted_events_per_s", static run => run.Model?.PredictedEventsPerS),
        Number("measured_to_predicted_ratio", static run => run.Model?.MeasuredToPredicted),
        .. OfStage("event"),
        .. OfStage("servicebus"),
        .. OfStage("blob"),
        .. OfStage("checkpoint"),
        .. OfStage("window"),
        .. OfStage("receive"),
        .. OfStage("endtoend"),
        Number("endtoend_p999_ms", static run => run.Stages.GetValueOrDefault("endtoend")?.P999Ms),
        Number("rate_intended_per_s", static run => run.Input.RateIntendedPerS),
        Number("rate_achieved_per_s", static run => run.Input.RateAchievedPerS),
        Number("most_late_ms", static run => run.Input.MostLateMs),
        Number("lag_growth_ratio", static run => run.Input.LagGrowth),
        Text(
            "falls_behind",
            static (_, cell) =>
                cell.Result?.Input.FallsBehind switch
                {
                    true => "true",
                    false => "false",
                    null => "",
                }
        ),
        Number("event_mean_in_flight", static run => ComparedSeries.Stage(run, "event")?.MeanInFlight),
        Number("in_flight_max_per_partition", static run => run.Strategy.DegreeReached.Max),
        Number("degree", static run => run.Strategy.Degree),
        Number("batch_max_events", static run => run.Strategy.BatchMax),
        Number("consumer_cpu_s", static run => run.Resources.Consumer.CpuS),
        Number("consumer_cpu_us_per_event", static run => run.Resources.Consumer.CpuUsPerEvent),
        Number("consumer_cpu_percent_per_core", static run => run.Resources.Consumer.CpuPercentPerCore),
        Number("consumer_peak_rss_bytes", static run => run.Resources.Consumer.PeakRssBytes),
        Number("consumer_mean_rss_bytes", static run => run.Resources.Consumer.MeanRssBytes),
        Number("consumer_allocated_bytes_per_event", static run => run.Resources.Consumer.AllocatedBytesPerEvent),
        Number("consumer_gc_pause_ms", static run => run.Resources.Consumer.GcPauseMs),
        Number("consumer_gc_pause_max_ms", static run => run.Resources.Consumer.GcPauseMaxMs),
        Number("consumer_threads_mean", static run => run.Resources.Consumer.Threads?.Mean),
        Number("consumer_threads_max", static run => run.Resources.Consumer.Threads?.Max),
        Number("consumer_thread_pool_queue_max", static run => run.Resources.Consumer.ThreadPoolQueueMax),
        Number("emulator_cpu_s", static run => run.Resources.Emulator.CpuS),
        Number("emulator_cpu_us_per_event", static run => run.Resources.Emulator.CpuUsPerEvent),
        Number("emulator_cpu_percent_per_core", static run => run.Resources.Emulator.CpuPercentPerCore),
        Number("sender_cpu_s", static run => run.Resources.Sender.CpuS),
        Number("retries", static run => run.Errors.Retries),
        Number("lost_events", static run => run.Safety.Lost),
        Number("duplicate_messages", static run => run.Safety.DuplicateServiceBus),
        Number("checkpoints_ahead", static run => run.Safety.CheckpointAhead),
        Text("verdict", static (_, cell) => cell.Result?.Safety.Verdict.ToString().ToLowerInvariant() ?? ""),
    ];

    private static CellColumn Text(string name, Func<ComparisonResult, ComparedCell, string> of) => new(name, of);

    private static CellColumn Number(string name, Func<RunResult, double?> of) =>
        new(name, (_, cell) => cell.Result is { } run ? Figures.Exact(of(run)) : "", IsNumber: true);

    private static IEnumerable<CellColumn> OfStage(string stage) =>
        [
            Number($"{stage}_count", run => run.Stages.GetValueOrDefault(stage)?.Count),
            Number($"{stage}_mean_ms", run => run.Stages.GetValueOrDefault(stage)?.MeanMs),
            Number($"{stage}_p50_ms", run => run.Stages.GetValueOrDefault(stage)?.P50Ms),
            Number($"{stage}_p99_ms", run => run.Stages.GetValueOrDefault(stage)?.P99Ms),
            Number($"{stage}_max_ms", run => run.Stages.GetValueOrDefault(stage)?.MaxMs),
        ];
}
