using System.Globalization;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>One sentence that tells what to try next, derived from the results.</summary>
internal static class NextStep
{
    private const int LargerBatch = 100;

    public static string Of(RunReport report) => $"Next: {Sentence(report)}";

    private static string Sentence(RunReport report)
    {
        if (report.Judgement.Verdict?.Outcome == VerdictOutcome.Fail)
        {
            return "nothing may be read from the speed of a run that failed its verdict; repeat it with --keep DIR and look at the first charge in the journal.";
        }

        if (report.Faults.Count > 0)
        {
            return report.Faults[0].Code == ExitCode.DrainLimit
                ? "start it again: it goes on from the last checkpoint; a longer --drain-limit lets slow writes finish."
                : "start it again when the cause is removed: it goes on from the last checkpoint.";
        }

        if (report.End == RunEnd.Stopped)
        {
            return "start it again with the same settings: it goes on from the last checkpoint.";
        }

        return report.Figures.Completed == 0 ? "nothing was waiting; send events first, or follow the hub with --follow." : Faster(report);
    }

    private static string Faster(RunReport report)
    {
        var options = report.Options;
        if (!report.Comparable)
        {
            return Text(
                $"batches held {report.Figures.MeanBatch:0.0} of {options.Batch} events on average, so the input is the limit; a larger backlog or --prefetch fills them."
            );
        }

        var (change, why) = options.Strategy.Name switch
        {
            "baseline" or "inloop" => ("--strategy=outloop", "overlaps the events of a batch"),
            "outloop" => ("--strategy=combined", "overlaps the two writes of an event as well"),
            _ when options.Batch < LargerBatch => (
                $"--batch={LargerBatch}",
                $"pays for one checkpoint in {LargerBatch} events instead of one in {options.Batch}"
            ),
            _ => ($"--degree={Math.Min(4096, options.Degree * 2)}", "lets more events be in flight"),
        };
        return report.Prediction is null ? $"{change} {why}." : Predicted(report, change, why);
    }

    private static string Predicted(RunReport report, string change, string why)
    {
        var options = report.Options;
        var (strategy, batch, degree) = change.Split('=') switch
        {
            ["--strategy", var name] => (name, options.Batch, options.Degree),
            ["--batch", _] => (options.Strategy.Name, LargerBatch, options.Degree),
            _ => (options.Strategy.Name, options.Batch, options.Degree * 2),
        };
        var next = ArticleModel.Predict(strategy, batch, degree, options.Prefetch);
        return next is null || next.EventsPerSecond < 1.03 * report.Prediction!.EventsPerSecond
            ? Text(
                $"the sender serves one message after another, at most {ArticleModel.SenderLimit:0} events/s on this profile; --profile=none shows the harness's own limit."
            )
            : Text($"{change} {why}; the model predicts {next.EventsPerSecond:0} events/s.");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
