using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Consumer.Comparing.MessageSweeping;
using EventHubThroughput.Consumer.Diagnosing;
using EventHubThroughput.Consumer.Modelling;
using EventHubThroughput.Consumer.Profiling;
using EventHubThroughput.Consumer.Redriving;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer;

internal static class Program
{
    private static Task<int> Main(string[] args) => DescriptorLimit.Suffices("consumer", Descriptors.BesideBlobs) ? RunAsync(args) : Task.FromResult(2);

    private static async Task<int> RunAsync(string[] args)
    {
        var console = CommandConsole.OfProcess;
        ChildProcess.LogLines = console.Error.WriteLine;
        using var unobserved = new UnobservedExceptions();
        using var signals = StopSignals.OfProcess(console.Error.WriteLine);
        try
        {
            // The available strategies and sinks depend on the named assemblies, so those are read before the command line is parsed.
            var scenario = Scenario.NamedIn(args);
            if (scenario?.NoticeBeside(args) is { } notice)
            {
                await console.Error.WriteLineAsync(notice);
            }

            if ((StrategyAssembly.NamedIn(args) ?? scenario?.StrategyAssembly) is { } own)
            {
                AvailableComponents.Extend(StrategyAssembly.Load(own));
            }

            if ((SinkAssembly.NamedIn(args) ?? scenario?.SinkAssembly) is var (option, sinks))
            {
                AvailableComponents.ExtendSinks(sinks, option);
            }

            return unobserved.Conclude(
                await CommandHost.RunAsync(GetCommand(console, signals, args, scenario), args, console, CancellationToken.None),
                console.Error
            );
        }
        catch (UsageException wrong)
        {
            await console.Error.WriteLineAsync($"error: {wrong.Message}");
            return ExitCode.Usage;
        }
    }

    internal static RootCommand GetCommand(CommandConsole console, StopSignals signals, string[] args, Scenario? scenario = null)
    {
        var command = ConsumerCommand.Create(
            console,
            async (options, settings, _) => await RunComposition.RunAsync(options, settings, console, signals, TimeProvider.System)
        );
        command.Subcommands.Add(
            SuperviseCommand.Create(
                console,
                plan => SupervisionRun.RunAsync(plan, console, signals, TimeProvider.System),
                hasSignals: !OperatingSystem.IsWindows()
            )
        );
        command.Subcommands.Add(
            RedriveCommand.Create(console, (choice, settings) => RedriveRun.RunAsync(choice, settings, console, signals, TimeProvider.System))
        );
        command.Subcommands.Add(
            DoctorCommand.Create(console, (choice, settings) => DoctorRun.RunAsync(choice, settings, console, signals, TimeProvider.System))
        );
        command.Subcommands.Add(ModelCommand.Create(console));
        command.Subcommands.Add(MetricsCommand.Create(console, Environment.CurrentDirectory));
        command.Subcommands.Add(
            ProfileCommand.Create(console, (choice, family, settings) => ProbeRun.RunAsync(choice, family, settings, console, signals, TimeProvider.System))
        );
        command.Subcommands.Add(MessageWorkerCommand.Create(console, TimeProvider.System));
        var ofMessages = MessageSweepCommand.IsMeant(args);
        if (ofMessages)
        {
            command.Subcommands.Add(MessageSweepCommand.Create(console, plan => new MessageSweepRun(plan, console, signals, TimeProvider.System).RunAsync()));
        }

        foreach (var form in ofMessages ? new[] { ComparisonForm.Compare } : [ComparisonForm.Compare, ComparisonForm.Sweep])
        {
            command.Subcommands.Add(
                CompareCommand.Create(
                    console,
                    form,
                    plan => ComparisonRun.RunAsync(plan, console, signals, TimeProvider.System),
                    scenario: scenario,
                    cleanUp: (file, settings) => CleanUpRun.RunAsync(file, settings, console, signals, TimeProvider.System)
                )
            );
        }

        return command;
    }
}
