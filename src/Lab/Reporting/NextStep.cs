using System.Globalization;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>One sentence that names what to try next, derived from the results.</summary>
internal static class NextStep
{
    public static string Of(RunReport report) => $"Next: {Sentence(report)}";

    private static string Sentence(RunReport report)
    {
        var (options, figures) = (report.Options, report.Figures);
        if (report.VerdictReport.Verdict?.Outcome == VerdictOutcome.Fail)
        {
            if (options.Processing.Strategy.IsUnsafe)
            {
                return $"{SafeInstead(options)} too, and loses no event of the same input.";
            }

            var how = options.Load is { Keep: null } ? "repeat it with --keep DIR, and look" : "look";
            return $"the speed of a run with a failed verdict does not count. To find the cause, {how} for the first charge in the journal.";
        }

        if (report.Faults.Count > 0)
        {
            return report.Faults[0].Kind == ProcessingFaultKind.DrainLimit
                ? $"{Again(options)}. A longer --drain-limit lets slow writes finish{Queued(options)}."
                : $"{Again(options, " when the cause is removed")}.";
        }

        if (report.End == ProcessingEnd.Stopped)
        {
            return $"{Again(options, options.Load is null ? " with the same settings" : "")}.";
        }

        if (figures.Completed == 0)
        {
            return figures.DeadLettered > 0
                ? "every event became a dead letter. The reasons are stored with them."
                : "the hub had no events. Send events first, or follow the hub with --follow.";
        }

        if (options.Processing.Strategy.IsUnsafe)
        {
            return $"no write failed, so no event was lost. {SafeInstead(options)} too, and keeps events whose writes fail.";
        }

        if (options.Load?.Faults is { } faults)
        {
            return $"without --faults {faults} the same run shows what they cost.";
        }

        if (figures.MeanKeysInFlight is not null && options.Processing.Strategy.Ordering == OrderingGuarantee.None)
        {
            return $"--strategy=keyed keeps the order of each key, which {options.Processing.Strategy.Name} does not, and overlaps events of different keys over batches.";
        }

        if (options.Load?.Rate is not null && figures.EventsPerSecond is not null)
        {
            return "the stage endtoend shows whether the run kept up with the sender. Without --rate the same run shows its largest rate.";
        }

        return figures.EventsPerSecond is null
                ? $"no event was measured, because {(figures.Tail is null ? "the run ended with its warm-up" : "a partition was empty during the warm-up")}. {Longer(options)} it longer."
            : figures.MeanBatch is null ? $"the measured part began after the last batch was handed over. {Longer(options)} it longer."
            : Faster(report);
    }

    private static string Longer(RunOptions options) => options.Load is null ? "A larger backlog makes" : "More --events make";

    // The events of one key are processed one after another, at most a window of them.
    private static string Queued(RunOptions options) =>
        options.Processing.Strategy is { Ordering: OrderingGuarantee.Key, IsBarrier: false }
            ? ", and a smaller --window leaves fewer events of one key to wait for"
            : "";

    private static string SafeInstead(RunOptions options) =>
        options.Processing.Strategy.TakesEventsInTurn ? "--strategy=baseline takes events in turn" : "--strategy=combined takes events concurrently";

    // An emulator that belongs to the run takes hub and checkpoints with it.
    private static string Again(RunOptions options, string when = "") =>
        options.Load is null
            ? $"start it again{when}: it continues from the last checkpoint"
            : $"start it again{when}: the checkpoints were lost with this run's emulator, so it starts from the beginning";

    private static string Faster(RunReport report)
    {
        var options = report.Options;
        if (!report.Comparable)
        {
            return Text(
                $"batches held {report.Figures.MeanBatch:0.0} of {options.Processing.BatchSize} events on average, so the input is the limit. A larger backlog or --prefetch fills them."
            );
        }

        return FasterStrategy.GetAdvice(options, report.Prediction) ?? Nothing(options);
    }

    // The reason why no change raises the rate.
    private static string Nothing(RunOptions options) =>
        (options.Processing.Strategy.Name, options.Writes is null ? ModelChoice.GetSettings(options)?.Profile.MessageSend.SerialMilliseconds : null) switch
        {
            (_, null or 0) => "the model has no faster strategy on this profile. --profile=none shows the limit of this machine without latency.",
            ("batched", _) => "reading and blobs are the remaining waits on this profile. --profile=none shows the limit of this machine without latency.",
            (_, { } serial) => Text(
                $"the service takes one message after another, at most {1_000 / serial:0} events/s on this profile. --profile=none shows the limit of this machine without latency."
            ),
        };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
