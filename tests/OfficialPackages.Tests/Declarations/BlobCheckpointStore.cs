using Azure.Storage.Blobs;

namespace Azure.Messaging.EventHubs.Primitives;

/// <summary>
/// Declares what is used of the class of this name in Azure.Messaging.EventHubs.Processor (5.11.3 and later): its constructor. Nothing calls the rest.
/// </summary>
public class BlobCheckpointStore(BlobContainerClient blobContainerClient) : CheckpointStore
{
    public BlobContainerClient Container => blobContainerClient;

    public override Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    public override Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();

    public override Task<EventProcessorCheckpoint> GetCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        CancellationToken cancellationToken
    ) => throw new NotSupportedException();
}
