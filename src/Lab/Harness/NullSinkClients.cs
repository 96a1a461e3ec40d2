using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;

namespace EventHubThroughput.Lab.Harness;

/// <summary>Clients whose processor owns one partition from the start, has every checkpoint stored when it is asked to, and can do nothing else.</summary>
/// <param name="work">Hands events over to the partition. The processor ends when it ends.</param>
internal sealed class NullSinkClients(Func<NullSinkPartition, Task> work) : IMessagingClients, IEventHubProcessor, IOwnedPartition
{
    private Func<IOwnedPartition, IPartitionHandler>? open;

    /// <inheritdoc/>
    public IReadOnlyCollection<string> OwnedPartitions => [NullSinkPartition.Id];

    /// <inheritdoc/>
    public string PartitionId => NullSinkPartition.Id;

    /// <inheritdoc/>
    public Checkpoint? StartedFrom => null;

    /// <inheritdoc/>
    public CancellationToken Lost => CancellationToken.None;

    /// <inheritdoc/>
    public ICheckpointStore CheckpointStore => throw new NotSupportedException();

    /// <inheritdoc/>
    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open)
    {
        this.open = open;
        return this;
    }

    /// <inheritdoc/>
    public async Task RunAsync(CancellationToken stoppingToken)
    {
        var partition = new NullSinkPartition(open!(this));
        try
        {
            await work(partition);
        }
        finally
        {
            await partition.CloseAsync();
        }
    }

    /// <inheritdoc/>
    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <inheritdoc/>
    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) => throw new NotSupportedException();

    /// <inheritdoc/>
    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    /// <inheritdoc/>
    public IEventHubWriter CreateEventHubWriter() => throw new NotSupportedException();

    /// <inheritdoc/>
    public IBufferedEventWriter CreateBufferedEventWriter() => throw new NotSupportedException();

    /// <inheritdoc/>
    public IMessageSender CreateMessageSender(string entity) => throw new NotSupportedException();

    /// <inheritdoc/>
    public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

    /// <inheritdoc/>
    public IBlobContainer GetBlobContainer(string name) => throw new NotSupportedException();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
