using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Consumer.Diagnosing;

/// <param name="Clients">The clients.</param>
/// <param name="Limit">The longest wait for each answer.</param>
/// <param name="Log">What is logged.</param>
internal sealed record DoctorChoice(ClientFamily Clients, TimeSpan Limit, LogChoice Log);

/// <summary>The command line: <c>consumer doctor [options]</c>. Connection settings come from the environment only.</summary>
internal static class DoctorCommand
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="examine">The action for a valid command line. Returns the exit code.</param>
    public static Command Create(CommandConsole console, Func<DoctorChoice, MessagingSettings, Task<int>> examine)
    {
        var clients = SharedOptions.Clients();
        var limit = Options.Duration("--timeout", "How long each answer may take. One try has half of it", 10 * Second, Second, 600 * Second);
        var log = new LogOptions(console.Environment);
        var command = new Command(
            "doctor",
            "Checks the services of the environment: names, TLS, tokens, rights on event hub, queue and containers, clock. Nothing remains."
        )
        {
            clients,
            limit,
        };
        log.AddTo(command);
        var settings = MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer);
        command.CheckAll(_ => settings.Problems);
        command.Check(_ => settings.IsNone ? "doctor: no connection settings are set in the environment" : null);
        if (settings.Settings is { } complete)
        {
            command.CheckAll(result => AvailableComponents.GetFamily(result.GetValue(clients)!).ProblemsOf(complete));
        }

        command.SetAction(
            (result, _) =>
                examine(
                    new DoctorChoice(AvailableComponents.GetFamily(result.GetValue(clients)!), result.GetValue(limit), log.Read(result)),
                    settings.Settings!
                )
        );
        return command;
    }
}
