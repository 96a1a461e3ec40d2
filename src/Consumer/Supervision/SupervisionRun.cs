using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>Runs a supervision from its plan to its exit code.</summary>
internal static class SupervisionRun
{
    public static async Task<int> RunAsync(SupervisionPlan plan, CommandConsole console, StopSignals signals, TimeProvider clock)
    {
        try
        {
            var counters = await new Supervisor(plan, console.Error, clock).RunAsync(signals.First);
            var printed = console.Print(output => SupervisionTable.Write(plan, counters, console.Columns, output));
            foreach (var failure in counters.SelectMany(one => one.Failures))
            {
                await console.Error.WriteLineAsync($"error: {failure}");
            }

            return ExitCode.Worst([Supervisor.GetCode(counters), printed]);
        }
        catch (OperationCanceledException) when (signals.First.IsCancellationRequested)
        {
            await console.Error.WriteLineAsync("stopped. All consumers have ended, and no summary is printed");
            return ExitCode.Interrupted;
        }
    }
}
