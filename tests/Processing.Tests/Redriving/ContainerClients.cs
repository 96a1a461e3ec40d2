using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Tests.Redriving;

/// <summary>Clients that reach one container and nothing else.</summary>
internal sealed class ContainerClients(IBlobContainer container) : IMessagingClients
{
    public ICheckpointStore CheckpointStore => throw new NotSupportedException();

    public IBlobContainer GetBlobContainer(string name) => name == container.Name ? container : throw new NotSupportedException();

    public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    public IEventHubWriter CreateEventHubWriter() => throw new NotSupportedException();

    public IBufferedEventWriter CreateBufferedEventWriter() => throw new NotSupportedException();

    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
        throw new NotSupportedException();

    public IMessageSender CreateMessageSender(string entity) => throw new NotSupportedException();

    public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
