using Azure.Storage.Blobs;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Azure;
using HttpSink;

var (checkpoints, deadLetters) = (await ContainerAsync("checkpoints"), await ContainerAsync("deadletters"));
var options = new ConcurrentEventProcessorOptions
{
    Identifier = Environment.MachineName,
    OnPoison = PoisonPolicy.DeadLetter,
    DeadLetters = deadLetters,
};
var (eventHubs, hub) = (Setting("EVENTHUB_CONNECTION_STRING"), Setting("EVENTHUB_NAME"));
await using var processor = new ConcurrentEventProcessor(checkpoints, "$Default", eventHubs, hub, [WebhookSink.OfEnvironment], options);
using var stop = new StopSignal();
var result = await processor.RunAsync(stop.Token);
result.ThrowIfFaulted();

static async Task<BlobContainerClient> ContainerAsync(string name)
{
    var container = new BlobContainerClient(Setting("STORAGE_CONNECTION_STRING"), name);
    await container.CreateIfNotExistsAsync();
    return container;
}

static string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");
