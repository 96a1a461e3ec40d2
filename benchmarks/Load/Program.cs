using EventHubThroughput.CommandLine;
using EventHubThroughput.Load;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};
var console = CommandConsole.OfProcess;
var command = args is ["soak", ..] ? SoakCommand.Create(console, TimeProvider.System) : CeilingCommand.Create(console, TimeProvider.System);
return await CommandHost.RunAsync(command, args is ["soak" or "ceiling", .. var rest] ? rest : args, console, stop.Token);
