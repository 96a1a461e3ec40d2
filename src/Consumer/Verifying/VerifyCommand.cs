using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;

namespace EventHubThroughput.Consumer.Verifying;

/// <summary>The command line: <c>consumer verify --ledger FILE [--journal FILE]</c>.</summary>
internal static class VerifyCommand
{
    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="settings">The connection settings, if there are any.</param>
    /// <param name="clock">The clock.</param>
    public static Command Create(CommandConsole console, SettingsResult settings, TimeProvider clock)
    {
        var command = new Command(
            "verify",
            "Computes the verdict on a run again, from the sender's ledger and the emulator's journal, or from the ledger and the namespace."
        );
        var arguments = new VerifyArguments();
        arguments.AddTo(command, settings);
        var log = new LogOptions(console.Environment);
        log.AddTo(command);
        command.SetAction(
            (result, cancellationToken) =>
                new VerifyRun(arguments.Read(result), log.Read(result), settings.Settings, console, clock).RunAsync(cancellationToken)
        );
        return command;
    }
}
