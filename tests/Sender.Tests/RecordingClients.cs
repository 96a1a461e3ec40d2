using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;

namespace EventHubThroughput.Sender.Tests;

/// <summary>Clients of a namespace that has an event hub and nothing else.</summary>
internal sealed class RecordingClients(RecordingWriter writer, MessagingException? failure = null) : IMessagingClients
{
    public ICheckpointStore CheckpointStore => throw new NotSupportedException();

    public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) =>
        failure is null ? Task.FromResult(new EventHubProperties("hub", default, ["0", "1"])) : Task.FromException<EventHubProperties>(failure);

    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
        string partitionId,
        long afterSequenceNumber,
        long throughSequenceNumber,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    public IEventHubWriter CreateEventHubWriter() => writer;

    public IBufferedEventWriter CreateBufferedEventWriter() => throw new NotSupportedException();

    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
        throw new NotSupportedException();

    public IMessageSender CreateMessageSender(string entity) => throw new NotSupportedException();

    public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

    public IBlobContainer GetBlobContainer(string name) => throw new NotSupportedException();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
