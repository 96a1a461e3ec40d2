using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Clients.EventHubs;
using EventPosition = Azure.Messaging.EventHubs.Consumer.EventPosition;

namespace EventHubThroughput.Load.Bare;

/// <summary>The package's processor with the adapter's options. It only passes its batches on.</summary>
/// <param name="clients">The clients of the event hub.</param>
/// <param name="options">The same options as those of the other families.</param>
/// <param name="treatAsync">Receives each batch with its partition, never an empty one.</param>
internal sealed class BareProcessor(
    BareClients clients,
    EventHubProcessorOptions options,
    Func<string, IReadOnlyList<EventData>, BareProcessor, CancellationToken, Task> treatAsync
)
    : PluggableCheckpointStoreEventProcessor<EventProcessorPartition>(
        clients.CreateCheckpointStore(),
        options.BatchSize,
        EventHubConsumerClient.DefaultConsumerGroupName,
        clients.EventHubConnectionString,
        clients.EventHubName,
        new EventProcessorOptions
        {
            Identifier = options.Identifier,
            PrefetchCount = options.Prefetch,
            MaximumWaitTime = options.BalancingInterval,
            LoadBalancingUpdateInterval = options.BalancingInterval,
            PartitionOwnershipExpirationInterval = options.OwnershipExpiry,
            LoadBalancingStrategy = LoadBalancingStrategy.Greedy,
            DefaultStartingPosition = EventPosition.Earliest,
            TrackLastEnqueuedEventProperties = false,
            RetryOptions = BareClients.EventHubRetry,
        }
    )
{
    private readonly TaskCompletionSource failed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Runs until the token is cancelled. The first failure ends it.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        await StartProcessingAsync(stop);
        try
        {
            await failed.Task.WaitAsync(stop);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // Cancelled.
        }
        finally
        {
            await StopProcessingAsync(CancellationToken.None);
        }
    }

    /// <summary>Stores the position of an event.</summary>
    public Task CheckpointAsync(string partitionId, EventData last, CancellationToken cancellationToken) =>
        UpdateCheckpointAsync(partitionId, new CheckpointPosition(last.OffsetString, last.SequenceNumber), cancellationToken);

    protected override async Task OnProcessingEventBatchAsync(
        IEnumerable<EventData> events,
        EventProcessorPartition partition,
        CancellationToken cancellationToken
    )
    {
        // The package delivers a list.
        var batch = events as IReadOnlyList<EventData> ?? [.. events];
        if (batch.Count == 0)
        {
            return;
        }

        try
        {
            await treatAsync(partition.PartitionId, batch, this, cancellationToken);
        }
        catch (Exception failure) when (!cancellationToken.IsCancellationRequested)
        {
            failed.TrySetException(failure);
        }
    }

    protected override Task OnProcessingErrorAsync(
        Exception exception,
        EventProcessorPartition partition,
        string operationDescription,
        CancellationToken cancellationToken
    )
    {
        failed.TrySetException(exception);
        return Task.CompletedTask;
    }
}
