using System.Text.Json.Serialization;
using Azure.Messaging.EventHubs;
using Azure.Storage.Blobs;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Azure.Tests.Samples;

/// <summary>The lines that docs/library-processor.md shows beside its programs, so that they compile.</summary>
internal static class ProcessorSamples
{
    public static async Task HandleJsonAsync(BlobContainerClient checkpoints, string group, string connectionString)
    {
        await using var processor = new ConcurrentEventProcessor(
            checkpoints,
            group,
            connectionString,
            [SinkDescriptor.Of(HandleOrderAsync, OrderJson.Default.Order)]
        );
    }

    public static ConcurrentEventProcessorOptions OverWebSockets()
    {
        var options = new ConcurrentEventProcessorOptions
        {
            ConnectionOptions = new EventHubConnectionOptions { TransportType = EventHubsTransportType.AmqpWebSockets },
        };
        return options;
    }

    public static ConcurrentEventProcessorOptions WithDeadLetters(string storage)
    {
        var options = new ConcurrentEventProcessorOptions { OnPoison = PoisonPolicy.DeadLetter, DeadLetters = new BlobContainerClient(storage, "deadletters") };
        return options;
    }

    public static async Task<RedriveResult> RedriveAsync(BlobContainerClient deadLetters, string hub, CancellationTokenSource stop)
    {
        await using var redrive = ConcurrentEventProcessor.CreateRedrive(deadLetters, hub, HandleAsync);
        var left = await redrive.RunAsync(stop.Token);
        return left;
    }

    public static async Task WithoutPackagesAsync()
    {
        var settings = MessagingSettings.FromEnvironment(Environment.GetEnvironmentVariable, SettingsScope.Processing).Require();
        var options = new ProcessingOptions { Identifier = Environment.MachineName };
        await using var processing = EventHubProcessing.Connect(settings, options, HandleAsync);
    }

    private static ValueTask HandleAsync(ReceivedEvent received, CancellationToken cancellationToken) => ValueTask.CompletedTask;

    private static ValueTask HandleOrderAsync(EventContext<Order> order, CancellationToken cancellationToken) => ValueTask.CompletedTask;
}

internal sealed record Order(string Id, int Count);

[JsonSerializable(typeof(Order))]
internal sealed partial class OrderJson : JsonSerializerContext;
