using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender;

using var stop = new StopSignals();
var console = CommandConsole.OfProcess;
var command = SenderCommand.Create(
    console,
    static (family, settings) => family.Connect(settings, new ClientOptions()),
    () => Console.IsErrorRedirected ? new ProgressLines(console.Error, TimeProvider.System) : new ProgressBar(console.Error, TimeProvider.System),
    TimeProvider.System
);
return await CommandHost.RunAsync(command, args, console, stop.Token);
