using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Verifying;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Consumer;

/// <summary>The command line: <c>consumer [run] [options]</c>. Connection settings come from the environment only.</summary>
internal static class ConsumerCommand
{
    private const string RunText = "Processes an event hub with one strategy. Without connection settings in the environment it starts its own emulator.";

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="run">The action for a valid command line: options and, unless embedded, settings. Returns the exit code.</param>
    /// <param name="components">The available strategies and sinks. Null for those of the build.</param>
    public static RootCommand Create(
        CommandConsole console,
        Func<RunOptions, MessagingSettings?, CancellationToken, Task<int>> run,
        AvailableComponents? components = null
    )
    {
        components ??= AvailableComponents.Current;
        var settings = MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer);
        var root = new RootCommand("Event Hubs consumer with several strategies of concurrent processing. " + RunText);
        Add(root, console, settings, run, components);
        var explicitRun = new Command("run", RunText);
        Add(explicitRun, console, settings, run, components);
        root.Subcommands.Add(explicitRun);
        HelpGroups.AddTo(root, components);
        HelpGroups.Explain(explicitRun, components);
        root.Subcommands.Add(VerifyCommand.Create(console, settings, TimeProvider.System));
        return root;
    }

    private static void Add(
        Command command,
        CommandConsole console,
        SettingsResult settings,
        Func<RunOptions, MessagingSettings?, CancellationToken, Task<int>> run,
        AvailableComponents components
    )
    {
        var options = new RunArguments(console.Environment(KillArgument.Variable), components);
        options.AddTo(command, settings.IsNone);
        var log = new LogOptions(console.Environment);
        log.AddTo(command);
        foreach (var problem in settings.Problems)
        {
            command.Check(_ => problem);
        }

        if (settings.Problems.Count > 0 && ConnectionNotice.Of(console.Environment) is { } notice)
        {
            command.Check(_ => notice);
        }

        if (settings.Settings is { } complete)
        {
            command.CheckAll(result => options.GetFamily(result).ProblemsOf(complete));
        }

        command.SetAction(
            (result, cancellationToken) => run(Complete(options.Read(result, settings.IsNone), log.Read(result), result), settings.Settings, cancellationToken)
        );
    }

    private static RunOptions Complete(RunOptions options, LogChoice log, ParseResult parsed) =>
        options with
        {
            Arguments = [.. parsed.Tokens.Select(static token => token.Value)],
            Outputs = options.Outputs with { Log = log },
            Load = options.Load is { } load ? load with { Log = log } : null,
        };
}
