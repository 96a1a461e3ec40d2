using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender;

using var stop = new StopSignals();
var console = CommandConsole.OfProcess;
var command = SenderCommand.Create(
    console,
    settings => new BuiltInClients(settings, new BuiltInClientOptions()),
    () => Console.IsErrorRedirected ? new ProgressLines(console.Error, TimeProvider.System) : new ProgressBar(console.Error, TimeProvider.System),
    TimeProvider.System);
return await CommandHost.RunAsync(command, args, console, stop.Token);
