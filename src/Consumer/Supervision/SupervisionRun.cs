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
            var tallies = await new Supervisor(plan, console.Error, clock).RunAsync(signals.First);
            var printed = console.Print(output => SupervisionTable.Write(plan, tallies, output));
            foreach (var failure in tallies.SelectMany(tally => tally.Failures))
            {
                await console.Error.WriteLineAsync($"error: {failure}");
            }

            return ExitCode.Worst([Supervisor.GetCode(tallies), printed]);
        }
        catch (OperationCanceledException) when (signals.First.IsCancellationRequested)
        {
            await console.Error.WriteLineAsync("stopped. All consumers have ended, and no summary is printed");
            return ExitCode.Interrupted;
        }
    }
}
