using Azure.Storage.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Azure;

var checkpoints = new BlobContainerClient(Setting("STORAGE_CONNECTION_STRING"), "checkpoints");
await checkpoints.CreateIfNotExistsAsync();
var (eventHubs, hub) = (Setting("EVENTHUB_CONNECTION_STRING"), Setting("EVENTHUB_NAME"));
var options = new ConcurrentEventProcessorOptions { Identifier = Environment.MachineName };
await using var processor = new ConcurrentEventProcessor(checkpoints, "$Default", eventHubs, hub, HandleAsync, options);
using var stop = new StopSignal();
var result = await processor.RunAsync(stop.Token);
result.ThrowIfFaulted();

static async ValueTask HandleAsync(ReceivedEvent received, CancellationToken cancellationToken) =>
    await Console.Out.WriteLineAsync($"{received.PartitionId}/{received.SequenceNumber}: {received.Body.Length} bytes");

static string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");
