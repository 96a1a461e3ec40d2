using System.Globalization;
using System.Text;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>
/// A comparison as CSV after RFC 4180: a header, then one line for each cell. Units are in the names, numbers have all their digits, and what is
/// missing is empty. Blocks and places count from 0, as in the JSON.
/// </summary>
internal static class CsvReport
{
    private static readonly (string Name, Func<ComparisonResult, ComparedCell, string> Of)[] Columns =
    [
        ("comparison", static (result, _) => result.Comparison.Id),
        ("started_utc", static (result, _) => result.Comparison.StartedUtc.UtcDateTime.ToString("O", CultureInfo.InvariantCulture)),
        ("profile", static (result, _) => result.Settings.Profile),
        ("label", static (_, cell) => cell.Label),
        ("strategy", static (result, cell) => result.Strategies.FirstOrDefault(one => one.Label == cell.Label)?.Name ?? ""),
        ("block", static (_, cell) => Figures.Exact(cell.Block)),
        ("place_in_block", static (_, cell) => Figures.Exact(cell.OrderInBlock)),
        ("counts", static (result, cell) => cell.Apart is null && !result.DiscardedBlocks.Contains(cell.Block) ? "true" : "false"),
        ("block_discarded", static (result, cell) => result.DiscardedBlocks.Contains(cell.Block) ? "true" : "false"),
        ("kept_apart_because", static (_, cell) => cell.Apart ?? ""),
        ("mark", static (_, cell) => cell.Mark ?? ""),
        ("profile_missed_by_ratio", static (_, cell) => Figures.Exact(cell.ProfileMissedBy)),
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
        Number("event_mean_in_flight", static run => ComparedSeries.Stage(run, "event")?.MeanInFlight),
        Number("in_flight_max_per_partition", static run => run.Strategy.DegreeReached.Max),
        Number("degree", static run => run.Strategy.Degree),
        Number("batch_max_events", static run => run.Strategy.BatchMax),
        Number("consumer_cpu_s", static run => run.Resources.Consumer.CpuS),
        Number("consumer_cpu_us_per_event", static run => run.Resources.Consumer.CpuUsPerEvent),
        Number("consumer_peak_rss_bytes", static run => run.Resources.Consumer.PeakRssBytes),
        Number("consumer_allocated_bytes_per_event", static run => run.Resources.Consumer.AllocatedBytesPerEvent),
        Number("emulator_cpu_s", static run => run.Resources.Emulator.CpuS),
        Number("emulator_cpu_us_per_event", static run => run.Resources.Emulator.CpuUsPerEvent),
        Number("sender_cpu_s", static run => run.Resources.Sender.CpuS),
        Number("lost_events", static run => run.Safety.Lost),
        Number("duplicate_messages", static run => run.Safety.DuplicateServiceBus),
        Number("checkpoints_ahead", static run => run.Safety.CheckpointAhead),
        ("verdict", static (_, cell) => cell.Result?.Safety.Verdict.ToString().ToLowerInvariant() ?? ""),
    ];

    /// <summary>The text, with the line ends of the RFC.</summary>
    public static string Of(ComparisonResult result)
    {
        var text = new StringBuilder();
        text.AppendJoin(',', Columns.Select(static column => column.Name)).Append("\r\n");
        foreach (var cell in result.Cells)
        {
            text.AppendJoin(',', Columns.Select(column => Encode(column.Of(result, cell)))).Append("\r\n");
        }

        return text.ToString();
    }

    // A line is a cell: line ends within a text become spaces.
    private static string Encode(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        return line.IndexOfAny(['"', ',']) < 0 ? line : $"\"{line.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }

    private static (string Name, Func<ComparisonResult, ComparedCell, string> Of) Number(string name, Func<RunResult, double?> of) =>
        (name, (_, cell) => cell.Result is { } run ? Figures.Exact(of(run)) : "");

    private static IEnumerable<(string Name, Func<ComparisonResult, ComparedCell, string> Of)> OfStage(string stage) =>
        [
            Number($"{stage}_count", run => run.Stages.GetValueOrDefault(stage)?.Count),
            Number($"{stage}_mean_ms", run => run.Stages.GetValueOrDefault(stage)?.MeanMs),
            Number($"{stage}_p50_ms", run => run.Stages.GetValueOrDefault(stage)?.P50Ms),
            Number($"{stage}_p99_ms", run => run.Stages.GetValueOrDefault(stage)?.P99Ms),
            Number($"{stage}_max_ms", run => run.Stages.GetValueOrDefault(stage)?.MaxMs),
        ];
}
