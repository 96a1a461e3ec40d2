using EventHubThroughput.CommandLine;
using EventHubThroughput.Load;
using EventHubThroughput.Load.Article;
using EventHubThroughput.Load.Dashboards;
using EventHubThroughput.Load.Wire;

using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};
var console = CommandConsole.OfProcess;
var command = args switch
{
    ["soak", ..] => SoakCommand.Create(console, TimeProvider.System),
    ["soak-consumer", ..] => ConsumerSoakCommand.Create(console, TimeProvider.System),
    ["amqp", ..] => AmqpCommand.Create(console, TimeProvider.System),
    [WireListenerCommand.Name, ..] => WireListenerCommand.Create(console, Console.In),
    ["families", ..] => FamiliesCommand.Create(console, TimeProvider.System),
    ["harness", ..] => HarnessCommand.Create(console, TimeProvider.System),
    ["figure", ..] => FigureCommand.Create(console),
    ["article", ..] => ArticleCommand.Create(console, TimeProvider.System),
    ["dashboards", ..] => DashboardsCommand.Create(console, TimeProvider.System),
    ["scrape", ..] => ScrapeCommand.Create(console, TimeProvider.System),
    ["otlp", ..] => OtlpCommand.Create(console, TimeProvider.System),
    _ => CeilingCommand.Create(console, TimeProvider.System),
};
return await CommandHost.RunAsync(
    command,
    args
        is [
            "soak"
            or "soak-consumer"
            or "families"
            or "amqp"
            or WireListenerCommand.Name
            or "harness"
            or "figure"
            or "article"
            or "ceiling"
            or "dashboards"
            or "scrape"
            or "otlp",
            .. var rest,
        ]
        ? rest
        : args,
    console,
    stop.Token
);
