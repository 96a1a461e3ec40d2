using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using OwnStrategy;

// Writes to the queue and to the container, as the consumer program does.
var settings = MessagingSettings.FromEnvironment(Environment.GetEnvironmentVariable, SettingsScope.Consumer).Require();
var options = new ProcessingOptions { Identifier = Environment.MachineName, Strategy = OwnStrategies.ByKey };
await using var processing = EventHubProcessing.Connect(settings, options, SinkCatalog.All);
using var stop = new StopSignal();
var result = await processing.RunAsync(stop.Token);
result.ThrowIfFaulted();
