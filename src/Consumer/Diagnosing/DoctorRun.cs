using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Lab.Diagnosing;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Diagnosing;

/// <summary>Connects, checks the services, writes one line for each check and returns the exit code.</summary>
internal static class DoctorRun
{
    /// <param name="choice">The parsed options.</param>
    /// <param name="settings">The connection settings.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="signals">The signals that end the checks early.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="FailureException">A signal came.</exception>
    public static async Task<int> RunAsync(DoctorChoice choice, MessagingSettings settings, CommandConsole console, StopSignals signals, TimeProvider clock)
    {
        using var logs = ProgramLog.Create(choice.Log, "consumer", console.Error);
        var storage = new StorageClock(new ProcessingOptions().OwnershipExpiry);
        var limit = new CheckLimit(choice.Limit, clock);
        var options = limit.GetClientOptions(storage) with { LoggerFactory = logs };
        await using var clients = choice.Clients.Connect(settings, options);
        var diagnosis = new ServiceDiagnosis(settings, clients, new SystemNetwork(), storage, limit);
        signals.DescribeReplay = static () => "a blob whose name begins with eht-doctor- may remain";
        var code = ExitCode.Done;
        try
        {
            await foreach (var result in diagnosis.RunAsync(signals.First))
            {
                await console.Output.WriteLineAsync(CheckText.Of(result));
                code = result.Outcome == CheckOutcome.Failed ? ExitCode.Dependency : code;
            }
        }
        catch (OperationCanceledException stopped) when (signals.First.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Interrupted, "stopped before the last check", stopped);
        }

        return code;
    }
}
