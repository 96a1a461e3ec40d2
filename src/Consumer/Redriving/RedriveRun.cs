using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Consumer.Redriving;

/// <summary>Connects, redrives, reports and returns the exit code.</summary>
internal static class RedriveRun
{
    /// <param name="choice">The parsed options.</param>
    /// <param name="settings">The connection settings.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="signals">The signals that end the run early.</param>
    /// <param name="clock">The clock.</param>
    public static async Task<int> RunAsync(RedriveChoice choice, MessagingSettings settings, CommandConsole console, StopSignals signals, TimeProvider clock)
    {
        Descriptors.EnsureEnough(choice.Redrive.MaxConcurrency, partitions: 1);
        using var logs = ProgramLog.Create(choice.Log, "consumer", console.Error);
        var clientOptions = new ClientOptions
        {
            LoggerFactory = logs,
            Writes = RetryOptions.Once,
            TimeProvider = clock,
            Notice = console.Error.WriteLine,
        };
        foreach (var line in choice.Clients.FirstLines(clientOptions, choice.Log.Frames))
        {
            await console.Error.WriteLineAsync(line);
        }

        var report = new RedriveReport(console, choice.Redrive.DryRun);
        await using var clients = choice.Clients.Connect(settings, clientOptions);
        var options = choice.Redrive with { Step = report.Report, Notice = console.Error.WriteLine, LoggerFactory = logs, TimeProvider = clock };
        await using var redrive = new DeadLetterRedrive(clients, settings, options, [.. AvailableComponents.Current.AllSinks]);
        signals.DescribeReplay = static () => "dead letters that were being written stay claimed for a while. A later redrive writes them again";
        return report.Conclude(await redrive.RunAsync(signals.First));
    }
}
