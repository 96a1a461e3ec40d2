using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using OwnSink;

var settings = MessagingSettings.FromEnvironment(Environment.GetEnvironmentVariable, SettingsScope.Consumer).Require();
var options = new ProcessingOptions { Identifier = Environment.MachineName };
var queue = new SinkDescriptor("queue", "Each event as a message.", context => new QueueSink(context)) { NeedsServiceBus = true };
await using var processing = EventHubProcessing.Connect(settings, options, queue, SinkCatalog.Find("blob"));
using var stop = new StopSignal();
var result = await processing.RunAsync(stop.Token);
result.ThrowIfFaulted();
