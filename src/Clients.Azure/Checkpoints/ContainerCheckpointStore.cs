using System.Collections.Concurrent;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Azure.Checkpoints;

/// <summary>
/// The checkpoint store of the package's processor: ownerships and checkpoints in the official layout, over the package's blob client. Unlike the store of
/// Azure.Messaging.EventHubs.Processor, it can require the last version seen when it writes a checkpoint. One instance serves one processor. It may be used
/// from several threads. Calls for one partition's checkpoint must not overlap.
/// </summary>
/// <param name="group">The only consumer group that this store serves. Other groups are refused.</param>
/// <param name="store">The ownerships and checkpoints of that group.</param>
/// <param name="fencing">False writes checkpoints unconditionally, as the official SDKs do.</param>
internal sealed class ContainerCheckpointStore(CheckpointGroup group, ICheckpointStore store, bool fencing) : CheckpointStore
{
    // By partition: the version that the next write requires, as of the last read or write.
    private readonly ConcurrentDictionary<string, Checkpoint?> seen = new(StringComparer.Ordinal);

    /// <summary>Reads a partition's checkpoint and keeps its version for the next write.</summary>
    public async Task<Checkpoint?> ReadAsync(string partitionId, CancellationToken cancellationToken)
    {
        var checkpoint = await store.ReadCheckpointAsync(partitionId, cancellationToken).ConfigureAwait(false);
        seen[partitionId] = checkpoint;
        return checkpoint;
    }

    /// <inheritdoc/>
    public override async Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        CancellationToken cancellationToken
    )
    {
        group.Require(fullyQualifiedNamespace, eventHubName, consumerGroup);
        var listed = await store.ListOwnershipsAsync(cancellationToken).ConfigureAwait(false);
        return [.. listed.Select(ToSdk)];
    }

    /// <inheritdoc/>
    public override async Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    )
    {
        List<EventProcessorPartitionOwnership> granted = [];
        foreach (var desired in desiredOwnership)
        {
            group.Require(desired.FullyQualifiedNamespace, desired.EventHubName, desired.ConsumerGroup);
            var claimed = await store.ClaimAsync(desired.PartitionId, desired.OwnerIdentifier, desired.Version, cancellationToken).ConfigureAwait(false);
            if (claimed is not null)
            {
                granted.Add(ToSdk(claimed));
            }
        }

        return granted;
    }

    /// <inheritdoc/>
    public override async Task<EventProcessorCheckpoint?> GetCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        CancellationToken cancellationToken
    )
    {
        group.Require(fullyQualifiedNamespace, eventHubName, consumerGroup);
        return await ReadAsync(partitionId, cancellationToken).ConfigureAwait(false) is { } stored ? group.ToSdk(stored) : null;
    }

    /// <inheritdoc/>
    public override async Task UpdateCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        string clientIdentifier,
        CheckpointPosition startingPosition,
        CancellationToken cancellationToken
    )
    {
        group.Require(fullyQualifiedNamespace, eventHubName, consumerGroup);
        var position = new EventPosition(startingPosition.SequenceNumber, startingPosition.OffsetString);
        seen[partitionId] = await store
            .WriteCheckpointAsync(partitionId, position, clientIdentifier, seen.GetValueOrDefault(partitionId), fencing, cancellationToken)
            .ConfigureAwait(false);
    }

    private EventProcessorPartitionOwnership ToSdk(Ownership ownership) =>
        new()
        {
            FullyQualifiedNamespace = group.FullyQualifiedNamespace,
            EventHubName = group.EventHub,
            ConsumerGroup = group.ConsumerGroup,
            PartitionId = ownership.PartitionId,
            OwnerIdentifier = ownership.OwnerId,
            LastModifiedTime = ownership.LastModified,
            Version = ownership.ETag,
        };
}
