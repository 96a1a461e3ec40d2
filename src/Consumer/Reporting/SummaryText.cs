using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>The summary of a run as plain text: both settings that decide the result, what was measured, the model beside it, the verdict.</summary>
internal static class SummaryText
{
    public static void Write(RunReport report, TextWriter output)
    {
        var (options, figures) = (report.Options, report.Figures);
        Line(
            output,
            "strategy",
            $"{options.Strategy.Name}, degree {options.Degree}, batch {options.Batch} ({BatchSizes(figures)}), prefetch {options.Prefetch}"
        );
        Line(output, "run", $"{options.Run}, {Counted.Of(report.Partitions, "partition")}, profile {report.Profile}, checkpoint {Checkpoints(report)}");
        Line(output, "events", Events(report));
        Line(output, "throughput", Throughput(report) + Bound(report));
        WriteMissed(report, output);
        WriteStages(figures, output);
        Line(
            output,
            "CPU",
            $"per event: consumer {Microseconds(figures.ConsumerCpuMicrosecondsPerEvent)}, emulator {Microseconds(figures.EmulatorCpuMicrosecondsPerEvent)}, sender {Microseconds(figures.SenderCpuMicrosecondsPerEvent)}"
        );
        Line(output, "memory", Memory(figures));
        Line(output, "writes", $"{figures.Retries} retried, {Counted.Of(report.RepeatedBlobs, "blob")} found in place{Poison(report)}");
        output.WriteLine(report.Judgement.Line);
        output.WriteLine(NextStep.Of(report));
    }

    private static string Events(RunReport report)
    {
        var figures = report.Figures;
        var of = report.Backlog is { } backlog ? $" of {backlog}" : "";
        var whole =
            figures.Whole > TimeSpan.Zero
                ? Text($" in {figures.Whole.TotalSeconds:0.00} s ({figures.Completed / figures.Whole.TotalSeconds:0.0} events/s)")
                : "";
        var measured =
            figures.Measured > TimeSpan.Zero
                ? Text(
                    $"; measured {figures.Section.Completed} in {figures.Measured.TotalSeconds:0.00} s after a warm-up of {figures.Completed - figures.Section.Completed}"
                )
                : "";
        return Text($"{figures.Completed}{of} complete{whole}{measured}");
    }

    private static string Throughput(RunReport report)
    {
        if (report.Figures.EventsPerSecond is not { } rate)
        {
            return "not measured";
        }

        if (report.Prediction is not { } prediction)
        {
            return Text($"{rate:0.0} events/s");
        }

        return report.Comparable
            ? Text($"{rate:0.0} events/s, the model predicts {prediction.EventsPerSecond:0.0} ({100 * rate / prediction.EventsPerSecond:0.0} %)")
            : Text($"{rate:0.0} events/s, batches too small to compare with the model");
    }

    private static string Bound(RunReport report) =>
        report.Bound switch
        {
            RateBound.Emulator when report.Profile == "none" => "; emulator-bound without latency, not to be ranked",
            RateBound.Emulator => Text($"; emulator-bound{Ceiling(report)}, not to be ranked"),
            RateBound.Input => "; input-bound, not to be ranked",
            RateBound.Cpu => "; CPU-bound",
            _ => Ceiling(report),
        };

    private static string Ceiling(RunReport report) =>
        report.Options.Embedded?.EmulatorCeiling is { } ceiling && report.Figures.EventsPerSecond is { } rate
            ? Text($" (the emulator's ceiling, {ceiling}, is {ceiling / rate:0.0} times that)")
            : "";

    private static void WriteMissed(RunReport report, TextWriter output)
    {
        var missed = report
            .Latencies.Where(latency => latency.IsMissed)
            .Select(latency => Text($"{latency.Operation} {latency.MeanMs:0.00} ms instead of {latency.AskedMeanMs:0.00}"));
        if (string.Join(", ", missed) is { Length: > 0 } rows)
        {
            Line(output, "profile", $"missed: {rows}; this machine is too busy to keep it");
        }
    }

    private static void WriteStages(RunFigures figures, TextWriter output)
    {
        output.WriteLine(Text($"{"stage", -12}{"count", 9}{"mean ms", 10}{"p50 ms", 10}{"p99 ms", 10}"));
        foreach (var stage in Stages.All)
        {
            var row = StageFigures.Of(figures.Section[stage]);
            output.WriteLine(
                Text($"{stage.Name(), -12}{row.Count, 9}{Milliseconds(row.MeanMs), 10}{Milliseconds(row.P50Ms), 10}{Milliseconds(row.P99Ms), 10}")
            );
        }
    }

    private static string Poison(RunReport report)
    {
        var deadLettered = report.Figures.DeadLettered > 0 ? $", {Counted.Of(report.Figures.DeadLettered, "event")} dead-lettered" : "";
        return report.BlockedEvents > 0 ? $"{deadLettered}, {Counted.Of(report.BlockedEvents, "event")} blocked for a time" : deadLettered;
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
            0 => "none occurred",
            <= 3 => "occurred " + string.Join(", ", sizes.OrderByDescending(size => size.Value).Select(size => $"{size.Value} x {size.Key}")),
            _ => Text($"occurred {sizes.Keys.Min()} to {sizes.Keys.Max()}, mean {figures.MeanBatch:0.0}"),
        };
    }

    private static string Checkpoints(RunReport report)
    {
        var checkpoints = report.Options.Checkpoints;
        return (checkpoints.Events, checkpoints.Interval) switch
        {
            (null, null) => "at each batch end",
            ({ } events, { } interval) => $"every {Counted.Of(events, "event")} or {DurationText.Format(interval)}",
            (null, { } interval) => $"every {DurationText.Format(interval)}",
            ({ } events, null) => $"every {Counted.Of(events, "event")}",
        };
    }

    private static void Line(TextWriter output, string title, string text) => output.WriteLine($"{title, -12}{text}");

    private static string Milliseconds(double? value) => value is { } known ? known.ToString("0.00", CultureInfo.InvariantCulture) : "-";

    private static string Microseconds(double? value) => value is { } known ? known.ToString("0", CultureInfo.InvariantCulture) + " us" : "not measured";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
