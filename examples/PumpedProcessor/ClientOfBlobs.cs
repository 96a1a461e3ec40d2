using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Storage.Blobs;

namespace PumpedProcessor;

/// <summary>
/// The events of an <c>EventProcessorClient</c> over the base class of the package Azure.Messaging.EventHubs, for feeds without the package
/// Azure.Messaging.EventHubs.Processor. A program that has that package needs neither this class nor <see cref="BlobCheckpoints"/>.
/// </summary>
internal sealed class ClientOfBlobs(BlobContainerClient checkpoints, string consumerGroup, string connectionString, string hub, EventProcessorOptions options)
    : PluggableCheckpointStoreEventProcessor<EventProcessorPartition>(
        new BlobCheckpoints(checkpoints),
        BatchSize,
        consumerGroup,
        connectionString,
        hub,
        options
    )
{
    private const int BatchSize = 100;

    public event Func<ProcessEventArgs, Task>? ProcessEventAsync;

    public event Func<PartitionClosingEventArgs, Task>? PartitionClosingAsync;

    /// <summary>The event hub and the container that the environment names. A restart under the same identifier claims the partitions again immediately.</summary>
    public static ClientOfBlobs FromEnvironment() =>
        new(
            new BlobContainerClient(Setting.Of("STORAGE_CONNECTION_STRING"), Setting.Of("CHECKPOINT_CONTAINER")),
            EventHubConsumerClient.DefaultConsumerGroupName,
            Setting.Of("EVENTHUB_CONNECTION_STRING"),
            Setting.Of("EVENTHUB_NAME"),
            new EventProcessorOptions
            {
                Identifier = Environment.MachineName,
                LoadBalancingStrategy = LoadBalancingStrategy.Greedy,
                LoadBalancingUpdateInterval = TimeSpan.FromSeconds(1),
                DefaultStartingPosition = EventPosition.Earliest,
                MaximumWaitTime = TimeSpan.FromSeconds(1),
            }
        );

    protected override async Task OnProcessingEventBatchAsync(
        IEnumerable<EventData> events,
        EventProcessorPartition partition,
        CancellationToken cancellationToken
    )
    {
        var context = EventHubsModelFactory.PartitionContext(FullyQualifiedNamespace, EventHubName, ConsumerGroup, partition.PartitionId);

        // No event has come for the maximum wait time: one call without an event.
        foreach (var one in events.DefaultIfEmpty())
        {
            await (ProcessEventAsync?.Invoke(new ProcessEventArgs(context, one, token => StoreAsync(one!, token), cancellationToken)) ?? Task.CompletedTask);
        }

        Task StoreAsync(EventData one, CancellationToken token) => UpdateCheckpointAsync(partition.PartitionId, CheckpointPosition.FromEvent(one), token);
    }

    protected override Task OnPartitionProcessingStoppedAsync(
        EventProcessorPartition partition,
        ProcessingStoppedReason reason,
        CancellationToken cancellationToken
    ) => PartitionClosingAsync?.Invoke(new PartitionClosingEventArgs(partition.PartitionId, reason, cancellationToken)) ?? Task.CompletedTask;

    protected override Task OnProcessingErrorAsync(
        Exception exception,
        EventProcessorPartition? partition,
        string operationDescription,
        CancellationToken cancellationToken
    ) => Console.Error.WriteLineAsync($"{partition?.PartitionId}: {operationDescription}: {exception.Message}");
}
