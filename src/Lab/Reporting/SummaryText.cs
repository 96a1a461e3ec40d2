using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>The summary of a run as plain text: the two settings that decide the result, the measurement beside the model, the verdict.</summary>
internal static class SummaryText
{
    // The time during which the runtime still compiles code of a run. Measured in docs/method.md.
    private static readonly TimeSpan StartUp = TimeSpan.FromSeconds(20);

    // A share of the service time. Below it the difference is the noise of network and clocks.
    private const double LeastWaiting = 0.25;

    // For output that programs read, or that a pipe takes: each item has one line.
    private const int Unbroken = int.MaxValue;
    private const int LeastWidth = 80;

    private static readonly string Indent = new(' ', 12);

    /// <param name="report">The run.</param>
    /// <param name="output">Receives the text.</param>
    /// <param name="columns">The width of the terminal. Null breaks no line.</param>
    public static void Write(RunReport report, TextWriter output, int? columns)
    {
        using var text = new StringWriter();
        Write(report, text);
        var width = columns is { } known ? Math.Max(LeastWidth, known) : Unbroken;
        foreach (var line in text.ToString().TrimEnd().Split(Environment.NewLine))
        {
            foreach (var part in WrappedText.Of(line, width, Indent))
            {
                output.WriteLine(part);
            }
        }
    }

    /// <summary>Writes it with one line for each item, however long.</summary>
    public static void Write(RunReport report, TextWriter output)
    {
        var (options, figures) = (report.Options, report.Figures);
        Line(
            output,
            "strategy",
            $"{options.Processing.Strategy.Label}{OwnOptions(report)}, degree {Degree(report)}, batch {options.Processing.BatchSize} ({BatchSizes(figures)}), prefetch {options.Processing.Prefetch}{Work(options.Work)}"
        );
        Line(
            output,
            "run",
            $"{options.Run}, {Plural.Format(report.Partitions, "partition")}{Keys(report)}{Sizes(report)}, profile {report.Profile}{Faults(report)}{(report.Options.Load is { Topic: true } ? ", to a topic with a subscription" : "")}, checkpoint {Checkpoints(report)}"
        );
        if (options.Processing.Strategy.Unsafe is { } practice)
        {
            Line(
                output,
                "unsafe",
                $"{practice.Why} Invariants were breached {Plural.Format(report.CountedBreaches, "time")}, which does not end an unsafe run."
            );
        }

        Line(output, "events", Events(report));
        if (report.Sent is { } sent)
        {
            Line(output, "sender", $"{sent.RateSentence}, requested {report.Options.Load?.Rate}");
        }

        Line(output, "throughput", Throughput(report) + Bound(report));
        if (figures.MeanKeysInFlight is { } keys)
        {
            Line(output, "keys", Text($"{keys:0.0} distinct keys in flight on average"));
        }

        if (report.Little is { IsTimingError: true } little)
        {
            Line(
                output,
                "timing",
                Text(
                    $"error: rate and mean time give {little.Expected:0.00} events in flight, but {figures.MeanEventsInFlight:0.00} were counted. Do not use the times of this run"
                )
            );
        }

        WriteMissed(report, output);
        WriteStages(report, output);
        Line(
            output,
            "CPU",
            $"per event{(figures.Measured < StartUp ? ", start-up included" : "")}: consumer {Microseconds(figures.ConsumerCpuMicrosecondsPerEvent)}, emulator {Microseconds(figures.EmulatorCpuMicrosecondsPerEvent)}{Sender(figures)}"
        );
        Line(output, "memory", Memory(figures));
        Line(output, "writes", $"{figures.Retries} retried, {Plural.Format(report.RepeatedBlobs, "blob")} existed already{Poison(report)}");
        output.WriteLine(report.VerdictReport.Line);
        if (report.ReadBack is { } readBack)
        {
            Line(output, "read back", $"subscription of the topic: {readBack.Line}");
        }

        if (report.VerdictReport.Unjudged is { Count: > 0 } unjudged)
        {
            Line(output, "unjudged", $"{string.Join(", ", unjudged)}: ledger and journal have no evidence of this sink");
        }

        output.WriteLine(NextStep.Of(report));
    }

    private static string Events(RunReport report)
    {
        var figures = report.Figures;
        var of = report.Backlog is { } backlog ? $" of {backlog}" : "";
        var whole = figures.Whole > TimeSpan.Zero ? Text($" in {figures.Whole.TotalSeconds:0.00} s") : "";
        var measured =
            figures.Measured > TimeSpan.Zero
                ? Text($", measured {figures.Section.Completed} in {figures.Measured.TotalSeconds:0.00} s after a warm-up of {figures.WarmUpEvents}")
                : "";
        return Text($"{figures.Completed}{of} complete{whole}{measured}{Tail(report, figures)}");
    }

    private static string Tail(RunReport report, RunFigures figures) =>
        figures.Tail is { } tail
            ? Text($", then {tail.Events} in {tail.Time.TotalSeconds:0.00} s after {(report.MeasuredInFull ? "the measured time" : "a partition was empty")}")
            : "";

    private static string Throughput(RunReport report)
    {
        if (report.Figures.EventsPerSecond is not { } rate)
        {
            return report.Figures.Tail is null ? "not measured" : "not measured, because a partition was empty during the warm-up";
        }

        if (report.Prediction is not { } prediction)
        {
            return Text($"{rate:0.0} events/s");
        }

        return report.Comparable
            ? Text($"{rate:0.0} events/s, the model predicts {prediction.EventsPerSecond:0.0} ({100 * rate / prediction.EventsPerSecond:0.0} %)")
            : Text($"{rate:0.0} events/s, batches too small to compare with the model");
    }

    private static string OwnOptions(RunReport report) =>
        string.Concat(report.Options.StrategyOptionsInForce.Select(option => $", {option.Key} {option.Value}"));

    private static string Work(HandlerWork work) =>
        (work.Cpu > TimeSpan.Zero ? Text($", computes {work.Cpu.TotalMicroseconds:0} us an event") : "")
        + (work.Block > TimeSpan.Zero ? Text($", holds a thread {work.Block.TotalMilliseconds:0} ms an event") : "");

    private static string Degree(RunReport report)
    {
        var strategy = report.Options.Processing.Strategy;
        var inTurn = strategy.TakesEventsInTurn ? " because it takes events in turn" : "";
        var reached = (report.Figures.Section.DegreeReached, strategy.ConcurrencyBounds) switch
        {
            (null, _) => "",
            ({ } most, ConcurrencyBound.Operations) => $" at each sink (reached {Plural.Format(most, "event")} in flight)",
            ({ } most, _) => $" (reached {most})",
        };
        return $"{report.Options.Processing.MaxConcurrencyInForce}{inTurn}{reached}";
    }

    private static string Keys(RunReport report) =>
        report.Options.Load is { Input: { } input, KeyField: var field }
            ? $", events of {Path.GetFileName(input)}{(field is null ? "" : $" with key {field}")}"
            : Generated(report);

    private static string Generated(RunReport report) =>
        report.Options.Load is { Keys: > 0 } load ? $", {Plural.Format(load.Keys, "key")}{(load.KeySkew > 0 ? Text($" (Zipf {load.KeySkew})") : "")}" : "";

    private static string Sizes(RunReport report) =>
        report.Options.Load?.Size is { } size && size.Text.Contains(':', StringComparison.Ordinal) ? $", sizes {size.Text}" : "";

    private static string Faults(RunReport report) => report.Options.Load?.Faults is { } faults ? $", faults {faults}" : "";

    private static string Sender(RunFigures figures) => figures.Sender is { Cpu: var cpu } ? Text($", sender with its start {cpu.TotalSeconds:0.00} s") : "";

    private static string Bound(RunReport report) =>
        report.Bound switch
        {
            RateBound.Emulator when report.Profile == "none" => ", emulator-bound without latency, not ranked",
            RateBound.Emulator => Text($", emulator-bound{Ceiling(report)}, not ranked"),
            RateBound.Input => ", input-bound, not ranked",
            RateBound.Cpu => ", CPU-bound",
            _ => Ceiling(report),
        };

    private static string Ceiling(RunReport report) =>
        report.EmulatorCeiling is { } ceiling && report.Figures.EventsPerSecond is { } rate
            ? Text($" (the emulator's ceiling, {ceiling}, is {ceiling / rate:0.0} times that)")
            : "";

    private static void WriteMissed(RunReport report, TextWriter output)
    {
        var missed = report
            .Latencies.Where(latency => latency.IsMissed)
            .Select(latency => Text($"{latency.Operation} {latency.MeanMs:0.00} ms instead of {latency.AskedMeanMs:0.00}"));
        if (string.Join(", ", missed) is { Length: > 0 } rows)
        {
            Line(output, "profile", $"missed: {rows}. The rate is not that of the profile");
        }
    }

    private static void WriteStages(RunReport report, TextWriter output)
    {
        var rows = report
            .Figures.Section.Stages.All.Select(stage => (Stage: stage, Figures: StageFigures.Of(report.Figures.Section[stage])))
            .Where(row => IsShown(report, row.Stage, row.Figures))
            .ToList();
        PlainTable.Write(
            [
                new("stage", [.. rows.Select(static row => row.Stage.Name)], IsText: true) { LeastWidth = 12 },
                new("count", [.. rows.Select(static row => row.Figures.Count.ToString(CultureInfo.InvariantCulture))]) { LeastWidth = 7 },
                Column("mean ms", static figures => figures.MeanMs),
                Column("p50 ms", static figures => figures.P50Ms),
                Column("p90 ms", static figures => figures.P90Ms),
                Column("p99 ms", static figures => figures.P99Ms),
            ],
            Unbroken,
            output,
            indent: 0
        );
        if (rows.Any(row => row.Figures is { Count: > 0, P99Ms: null }))
        {
            Line(output, "", "-: too few samples, fewer than 10 beyond it");
        }

        foreach (var (stage, row) in rows)
        {
            WriteWaiting(report, stage, row.MeanMs, output);
        }

        TextColumn Column(string title, Func<StageFigures, double?> of) =>
            new(title, [.. rows.Select(row => Milliseconds(of(row.Figures)))]) { LeastWidth = 8 };
    }

    // In a backlog an event was enqueued long before the run, so its age describes nothing of the run.
    private static bool IsShown(RunReport report, Stage stage, StageFigures figures) =>
        stage == Stage.Window ? figures.Count > 0 : stage != Stage.EndToEnd || report.Options.IsFed;

    // A FIFO link makes writes wait for each other, which the emulator does not count as its own time.
    private static void WriteWaiting(RunReport report, Stage stage, double? mean, TextWriter output)
    {
        var operation = stage switch
        {
            { Name: ServiceBusSink.SinkName } => "messageSend",
            { Name: BlobSink.SinkName } => "blobWrite",
            _ => null,
        };
        var latency = report.Latencies.FirstOrDefault(row => row.Operation == operation);
        if (latency is { AskedSerialMs: > 0 } && mean - latency.MeanMs is { } waited && waited > LeastWaiting * latency.MeanMs)
        {
            Line(
                output,
                "waiting",
                Text(
                    $"{stage.Name} waits about {waited:0.0} of its {mean:0.0} ms. The profile has {latency.AskedMeanMs:0.00} ms, of which {latency.AskedSerialMs:0.00} ms are serial"
                )
            );
        }
    }

    private static string Poison(RunReport report)
    {
        var deadLettered = report.Figures.DeadLettered > 0 ? $", {Plural.Format(report.Figures.DeadLettered, "event")} dead-lettered" : "";
        return report.BlockedEvents > 0 ? $"{deadLettered}, {Plural.Format(report.BlockedEvents, "event")} blocked for a time" : deadLettered;
    }

    private static string Memory(RunFigures figures)
    {
        var allocated = figures.AllocatedBytesPerEvent is { } bytes ? Text($"{bytes / 1024:0.0} KiB allocated per event, ") : "";
        return Text(
            $"{allocated}collections {figures.Runtime.Gen0}/{figures.Runtime.Gen1}/{figures.Runtime.Gen2}, paused {figures.Runtime.GcPause.TotalMilliseconds:0.0} ms"
        );
    }

    private static string BatchSizes(RunFigures figures)
    {
        var sizes = figures.Section.BatchSizes;
        return sizes.Count switch
        {
            0 => "none measured",
            <= 3 => "occurred " + string.Join(", ", sizes.OrderByDescending(size => size.Value).Select(size => $"{size.Value} x {size.Key}")),
            _ => Text($"occurred {sizes.Keys.Min()} to {sizes.Keys.Max()}, mean {figures.MeanBatch:0.0}"),
        };
    }

    private static string Checkpoints(RunReport report)
    {
        var options = report.Options;
        if (options.Processing.Strategy.Unsafe?.CheckpointFrequencyOption is { } frequency && options.StrategyOptionsInForce[frequency] is > 1 and var batches)
        {
            return $"every {batches} batches";
        }

        var checkpoints = options.CheckpointsInForce;
        return (checkpoints.Events, checkpoints.Interval) switch
        {
            (null, null) => "at each batch end",
            ({ } events, { } interval) => $"every {Plural.Format(events, "event")} or {DurationText.Format(interval)}",
            (null, { } interval) => $"every {DurationText.Format(interval)}",
            ({ } events, null) => $"every {Plural.Format(events, "event")}",
        };
    }

    private static void Line(TextWriter output, string title, string text) => output.WriteLine($"{title, -12}{text}");

    private static string Milliseconds(double? value) => value is { } known ? known.ToString("0.00", CultureInfo.InvariantCulture) : "-";

    private static string Microseconds(double? value) => value is { } known ? known.ToString("0", CultureInfo.InvariantCulture) + " us" : "not measured";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
