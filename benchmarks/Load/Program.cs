using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Load;
using EventHubThroughput.Load.Article;
using EventHubThroughput.Load.Coding;
using EventHubThroughput.Load.Dashboards;
using EventHubThroughput.Load.Operations;
using EventHubThroughput.Load.Pages;
using EventHubThroughput.Load.Paths;
using EventHubThroughput.Load.PingPong;
using EventHubThroughput.Load.Producing;
using EventHubThroughput.Load.Pumping;
using EventHubThroughput.Load.Wire;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};
var console = CommandConsole.OfProcess;
var clock = TimeProvider.System;
var commands = new Dictionary<string, Func<RootCommand>>(StringComparer.Ordinal)
{
    ["allocations"] = () => AllocationsCommand.Create(console, clock),
    ["amqp"] = () => AmqpCommand.Create(console, clock),
    [WireListenerCommand.Name] = () => WireListenerCommand.Create(console, Console.In),
    ["article"] = () => ArticleCommand.Create(console, clock),
    ["ceiling"] = () => CeilingCommand.Create(console, clock),
    ["codec"] = () => CodecCommand.Create(console, clock),
    ["dashboards"] = () => DashboardsCommand.Create(console, clock),
    ["families"] = () => FamiliesCommand.Create(console, clock),
    ["figure"] = () => FigureCommand.Create(console),
    ["harness"] = () => HarnessCommand.Create(console, clock),
    ["operations"] = () => OperationsCommand.Create(console, clock),
    [OperationRunCommand.Name] = () => OperationRunCommand.Create(console, clock),
    ["otlp"] = () => OtlpCommand.Create(console, clock),
    ["pages"] = () => PagesCommand.Create(console),
    ["path"] = () => PathCommand.Create(console, clock),
    ["pingpong"] = () => PingPongCommand.Create(console, clock),
    ["producer"] = () => ProducerCommand.Create(console, clock),
    ["pump"] = () => PumpCommand.Create(console, clock),
    ["pump-rate"] = () => PumpRateCommand.Create(console, clock),
    [PumpRunCommand.Name] = () => PumpRunCommand.Create(console, clock),
    [ProducerRunCommand.Name] = () => ProducerRunCommand.Create(console, clock),
    ["scrape"] = () => ScrapeCommand.Create(console, clock),
    ["soak"] = () => SoakCommand.Create(console, clock),
    ["soak-consumer"] = () => ConsumerSoakCommand.Create(console, clock),
};

// Options without a command belong to the command of the ceiling.
return args is [var name, .. var rest] && commands.TryGetValue(name, out var create)
    ? await CommandHost.RunAsync(create(), rest, console, stop.Token)
    : await CommandHost.RunAsync(commands["ceiling"](), args, console, stop.Token);
