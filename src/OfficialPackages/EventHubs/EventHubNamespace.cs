using Azure.Core;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.OfficialPackages.Blobs;

namespace EventHubThroughput.OfficialPackages.EventHubs;

/// <summary>An event hub and what is made of it.</summary>
internal sealed class EventHubNamespace(MessagingSettings settings, TokenCredential? credential, ClientOptions options, StorageAccount? storage) : IAsyncDisposable
{
    public ICheckpointStore CheckpointStore => throw new NotSupportedException($"{settings} {credential} {options} {storage}");

    public Task<EventHubProperties> GetPropertiesAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IAsyncEnumerable<EventBatch> ReadPartitionAsync(string partitionId, long throughSequenceNumber, CancellationToken cancellationToken) => throw new NotSupportedException();

    public IEventHubWriter CreateWriter() => throw new NotSupportedException();

    public IEventHubProcessor CreateProcessor(EventHubProcessorOptions processor, Func<IOwnedPartition, IPartitionHandler> open) => throw new NotSupportedException();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
