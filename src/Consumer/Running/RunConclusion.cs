using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Running;

/// <summary>Ends a run: reports the cause of a failure, prints the summary, writes the result file and waits for a last scrape of the metrics.</summary>
internal static class RunConclusion
{
    public static async Task<int> ConcludeAsync(
        RunReport report,
        string version,
        ServedMetrics? metrics,
        CommandConsole console,
        StopSignals signals,
        TimeProvider clock,
        KillSwitch killSwitch
    )
    {
        if (report.Faults.Count > 0)
        {
            // One line for one cause. The result file lists its consequences.
            var cause = report.Faults.FirstOrDefault(fault => FaultExitCode.Of(fault) == report.Code) ?? report.Faults[0];
            await console.Error.WriteLineAsync($"error: {cause.Message}{(report.Faults.Count == 1 ? "" : $" (and {report.Faults.Count - 1} more)")}");
        }
        else if (report.VerdictReport.Code != ExitCode.Done)
        {
            await console.Error.WriteLineAsync($"error: {report.VerdictReport.Line}");
        }
        else if (report.ReadBack is { } readBack && readBack.Code != ExitCode.Done)
        {
            await console.Error.WriteLineAsync($"error: subscription of the topic, read back: {readBack.Line}");
        }

        // The comparison discards the output of its cells.
        var printed = report.Options.Emulator is null ? console.Print(output => SummaryText.Write(report, output, console.Columns)) : ExitCode.Done;
        var code = ExitCode.Worst([report.Code, printed]);
        if (report.Options.Outputs.Result is { } path)
        {
            try
            {
                ResultFile.Write(path, ResultDocument.Of(report, version), () => killSwitch.Reached(KillPoint.BeforeResultInPlace));
            }
            catch (FailureException failure)
            {
                await console.Error.WriteLineAsync($"error: {failure.Message}");
                code = ExitCode.Worst([code, ExitCode.Of(failure.Cause)]);
            }
        }

        if (metrics is not null)
        {
            await metrics.LingerAsync(report.Options.Outputs.Metrics!.Linger, console.Error.WriteLine, clock, signals.First);
        }

        return code;
    }
}
