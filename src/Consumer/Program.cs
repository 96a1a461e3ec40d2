using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;

var console = CommandConsole.OfProcess;
using var unobserved = new UnobservedExceptions();
using var signals = StopSignals.OfProcess(console.Error.WriteLine);
var command = ConsumerCommand.Create(
    console, async (options, settings, _) => await RunComposition.RunAsync(options, settings, console, signals, TimeProvider.System));
return unobserved.Conclude(await CommandHost.RunAsync(command, args, console, CancellationToken.None), console.Error);
