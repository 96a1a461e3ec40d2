using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;

var settings = MessagingSettings.FromEnvironment(Environment.GetEnvironmentVariable, SettingsScope.Processing).Require();
var options = new ProcessingOptions { Identifier = Environment.MachineName };
await using var processing = EventHubProcessing.Connect(settings, options, HandleAsync);
using var stop = new StopSignal();
var result = await processing.RunAsync(stop.Token);
result.ThrowIfFaulted();

static async ValueTask HandleAsync(ReceivedEvent received, CancellationToken cancellationToken) =>
    await Console.Out.WriteLineAsync($"{received.PartitionId}/{received.SequenceNumber}: {received.Body.Length} bytes");
