// Without annotations, as in the package.
#nullable disable

using Azure.Core;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Processor;

namespace Azure.Messaging.EventHubs.Primitives;

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public abstract class CheckpointStore
{
    internal CheckpointStore() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public abstract class EventProcessor<TPartition>
    where TPartition : EventProcessorPartition, new()
{
    internal EventProcessor() => throw null!;

    public virtual Task StartProcessingAsync(CancellationToken cancellationToken = default) => throw null!;

    public virtual Task StopProcessingAsync(CancellationToken cancellationToken = default) => throw null!;

    protected virtual EventHubConnection CreateConnection() => throw null!;

    protected abstract Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(CancellationToken cancellationToken);

    protected abstract Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    );

    protected virtual Task<EventProcessorCheckpoint> GetCheckpointAsync(string partitionId, CancellationToken cancellationToken) => throw null!;

    protected virtual Task UpdateCheckpointAsync(string partitionId, CheckpointPosition startingPosition, CancellationToken cancellationToken) => throw null!;

    protected abstract Task OnProcessingEventBatchAsync(IEnumerable<EventData> events, TPartition partition, CancellationToken cancellationToken);

    protected abstract Task OnProcessingErrorAsync(Exception exception, TPartition partition, string operationDescription, CancellationToken cancellationToken);

    protected virtual Task OnInitializingPartitionAsync(TPartition partition, CancellationToken cancellationToken) => throw null!;

    protected virtual Task OnPartitionProcessingStoppedAsync(TPartition partition, ProcessingStoppedReason reason, CancellationToken cancellationToken) =>
        throw null!;

    public string FullyQualifiedNamespace
    {
        get => throw null!;
    }

    public string EventHubName
    {
        get => throw null!;
    }

    public string ConsumerGroup
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventProcessorCheckpoint
{
    public EventProcessorCheckpoint() => throw null!;

    public string FullyQualifiedNamespace
    {
        set => throw null!;
    }

    public string EventHubName
    {
        set => throw null!;
    }

    public string ConsumerGroup
    {
        set => throw null!;
    }

    public string PartitionId
    {
        set => throw null!;
    }

    public EventPosition StartingPosition
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventProcessorOptions
{
    public EventProcessorOptions() => throw null!;

    public EventHubConnectionOptions ConnectionOptions
    {
        set => throw null!;
    }

    public EventHubsRetryOptions RetryOptions
    {
        set => throw null!;
    }

    public int PrefetchCount
    {
        set => throw null!;
    }

    public TimeSpan LoadBalancingUpdateInterval
    {
        set => throw null!;
    }

    public TimeSpan PartitionOwnershipExpirationInterval
    {
        set => throw null!;
    }

    public string Identifier
    {
        set => throw null!;
    }

    public bool TrackLastEnqueuedEventProperties
    {
        set => throw null!;
    }

    public EventPosition DefaultStartingPosition
    {
        set => throw null!;
    }

    public LoadBalancingStrategy LoadBalancingStrategy
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventProcessorPartition
{
    public EventProcessorPartition() => throw null!;

    public string PartitionId
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventProcessorPartitionOwnership
{
    internal EventProcessorPartitionOwnership() => throw null!;

    public string OwnerIdentifier
    {
        get => throw null!;
        set => throw null!;
    }

    public string PartitionId
    {
        get => throw null!;
    }

    public string Version
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class PartitionReceiver : IAsyncDisposable
{
    public PartitionReceiver(
        string consumerGroup,
        string partitionId,
        EventPosition eventPosition,
        EventHubConnection connection,
        PartitionReceiverOptions options = null
    ) => throw null!;

    public virtual Task<IEnumerable<EventData>> ReceiveBatchAsync(
        int maximumEventCount,
        TimeSpan maximumWaitTime,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public string PartitionId
    {
        get => throw null!;
    }

    ValueTask IAsyncDisposable.DisposeAsync() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class PartitionReceiverOptions
{
    public PartitionReceiverOptions() => throw null!;

    public EventHubsRetryOptions RetryOptions
    {
        set => throw null!;
    }

    public int PrefetchCount
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public abstract class PluggableCheckpointStoreEventProcessor<TPartition> : EventProcessor<TPartition>
    where TPartition : EventProcessorPartition, new()
{
    protected PluggableCheckpointStoreEventProcessor(
        CheckpointStore checkpointStore,
        int eventBatchMaximumCount,
        string consumerGroup,
        string connectionString,
        string eventHubName,
        EventProcessorOptions options = null
    ) => throw null!;

    protected PluggableCheckpointStoreEventProcessor(
        CheckpointStore checkpointStore,
        int eventBatchMaximumCount,
        string consumerGroup,
        string fullyQualifiedNamespace,
        string eventHubName,
        TokenCredential credential,
        EventProcessorOptions options = null
    ) => throw null!;

    protected override Task<EventProcessorCheckpoint> GetCheckpointAsync(string partitionId, CancellationToken cancellationToken) => throw null!;

    protected override Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(CancellationToken cancellationToken) => throw null!;

    protected override Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    ) => throw null!;
}
