using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Verifying;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The command line: <c>consumer [run] [options]</c>. Connection settings come from the environment only.</summary>
internal static class ConsumerCommand
{
    private const string RunText =
        "Processes an event hub with one strategy. Without connection settings in the environment it runs against an emulator of its own.";

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="run">What a well-formed command line does: options and, unless embedded, settings; gives the exit code.</param>
    public static RootCommand Create(CommandConsole console, Func<ConsumerOptions, MessagingSettings?, CancellationToken, Task<int>> run)
    {
        var settings = MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer);
        var root = new RootCommand("Event Hubs consumer that compares ways of processing events in parallel. " + RunText);
        Add(root, console, settings, run);
        var explicitRun = new Command("run", RunText);
        Add(explicitRun, console, settings, run);
        root.Subcommands.Add(explicitRun);
        root.Subcommands.Add(VerifyCommand.Create(console, settings, TimeProvider.System));
        return root;
    }

    private static void Add(
        Command command,
        CommandConsole console,
        SettingsResult settings,
        Func<ConsumerOptions, MessagingSettings?, CancellationToken, Task<int>> run
    )
    {
        var options = new RunOptions(console.Environment(RunOptions.KillAtVariable));
        options.AddTo(command, settings.IsNone);
        foreach (var problem in settings.Problems)
        {
            command.Check(_ => problem);
        }

        foreach (var problem in settings.Settings is { } complete ? ClientFamily.BuiltIn.ProblemsOf(complete) : [])
        {
            command.Check(result => options.FamilyOf(result).TakesEntraId ? null : problem);
        }

        command.SetAction((result, cancellationToken) => run(options.Read(result, settings.IsNone), settings.Settings, cancellationToken));
    }
}
