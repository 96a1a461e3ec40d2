using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Consumer.Redriving;

/// <param name="Redrive">How dead letters are written again.</param>
/// <param name="Clients">The clients.</param>
/// <param name="Log">What is logged.</param>
internal sealed record RedriveChoice(RedriveOptions Redrive, ClientFamily Clients, LogChoice Log);

/// <summary>The command line: <c>consumer redrive [options]</c>. Connection settings come from the environment only.</summary>
internal sealed class RedriveCommand
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly Option<int> degree = Options.Integer(
        "--degree",
        "Dead letters written concurrently, in the order of partition and sequence number. A crash may repeat N of them",
        1,
        1,
        256
    );

    private readonly Option<int> retryLimit = Options.Integer("--retry-limit", "Retries of a write after a transient failure", 5, 0, 100);
    private readonly Option<TimeSpan> operationLimit = Options.Duration(
        "--operation-limit",
        "How long a write may take with all its attempts. If the redrive is killed, a dead letter stays claimed for twice as long",
        30 * Second,
        0.1 * Second,
        600 * Second
    );

    private readonly Option<TimeSpan> drainLimit = Options.Duration(
        "--drain-limit",
        "How long writes in flight may take after a signal",
        30 * Second,
        Second,
        3600 * Second
    );

    private readonly Option<bool> dryRun = Options.Flag("--dry-run", "List what would be written, and why it failed. Writes and removes no dead letter");
    private readonly Option<string> clients = SharedOptions.Clients();
    private readonly Option<string?> sinkAssembly = Options.Text(SinkAssembly.Option, "Adds the sinks and handlers of this assembly", "FILE");
    private readonly LogOptions log;

    private RedriveCommand(CommandConsole console) => log = new LogOptions(console.Environment);

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="redrive">The action for a valid command line. Returns the exit code.</param>
    public static Command Create(CommandConsole console, Func<RedriveChoice, MessagingSettings, Task<int>> redrive) =>
        new RedriveCommand(console).Build(MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer), redrive);

    private Command Build(SettingsResult settings, Func<RedriveChoice, MessagingSettings, Task<int>> redrive)
    {
        var command = new Command(
            "redrive",
            "Writes the dead letters of the event hub again, each to the sinks that refused it. Removes those that were written, and reports what is left."
        );
        foreach (var option in new Option[] { degree, retryLimit, operationLimit, drainLimit, dryRun, clients, sinkAssembly })
        {
            command.Options.Add(option);
        }

        log.AddTo(command);
        foreach (var problem in settings.Problems)
        {
            command.Check(_ => problem);
        }

        command.Check(_ => settings.IsNone ? "redrive: no connection settings are set in the environment, and an embedded run keeps no dead letters" : null);
        if (settings.Settings is { } complete)
        {
            command.CheckAll(result => AvailableComponents.GetFamily(result.GetValue(clients)!).ProblemsOf(complete));
        }

        command.SetAction((result, _) => redrive(Read(result), settings.Settings!));
        return command;
    }

    private RedriveChoice Read(ParseResult result) =>
        new(
            new RedriveOptions
            {
                MaxConcurrency = result.GetValue(degree),
                Retries = result.GetValue(retryLimit),
                OperationLimit = result.GetValue(operationLimit),
                DrainLimit = result.GetValue(drainLimit),
                DryRun = result.GetValue(dryRun),
            },
            AvailableComponents.GetFamily(result.GetValue(clients)!),
            log.Read(result)
        );
}
