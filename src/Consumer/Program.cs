using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Supervision;

var console = CommandConsole.OfProcess;
using var unobserved = new UnobservedExceptions();
using var signals = StopSignals.OfProcess(console.Error.WriteLine);
var command = ConsumerCommand.Create(
    console,
    async (options, settings, _) => await RunComposition.RunAsync(options, settings, console, signals, TimeProvider.System)
);
command.Subcommands.Add(SuperviseCommand.Create(console, plan => SupervisionRun.RunAsync(plan, console, signals, TimeProvider.System)));
return unobserved.Conclude(await CommandHost.RunAsync(command, args, console, CancellationToken.None), console.Error);
