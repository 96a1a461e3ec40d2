using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Removes what a killed comparison left on the services, and then its state file. Reports each entity that remains.</summary>
internal static class CleanUpRun
{
    /// <param name="file">The state file.</param>
    /// <param name="settings">The services.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="signals">The signals that end the removal early.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="UsageException">It is not a state file of these services, or its comparison still runs.</exception>
    /// <exception cref="FailureException">A signal came.</exception>
    public static async Task<int> RunAsync(string file, MessagingSettings settings, CommandConsole console, StopSignals signals, TimeProvider clock)
    {
        using var entities = CreatedEntities.Open(NamedComparison.CleanUpName, file, settings, clock);
        signals.DescribeReplay = () => $"entities may remain: {NamedComparison.CleanUpName} {file} removes them";
        try
        {
            var left = await entities.RemoveAllAsync(signals.First);
            foreach (var one in left)
            {
                await console.Error.WriteLineAsync($"error: {one}");
            }

            await console.Output.WriteLineAsync(
                left.Count == 0
                    ? $"removed all entities that {file} names, and the file"
                    : $"{left.Count} of {entities.Count} entities remain, and {file} with them"
            );
            return left.Count == 0 ? ExitCode.Done : ExitCode.Dependency;
        }
        catch (OperationCanceledException stopped) when (signals.First.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Interrupted, $"stopped before the last entity: {NamedComparison.CleanUpName} {file} continues", stopped);
        }
    }
}
