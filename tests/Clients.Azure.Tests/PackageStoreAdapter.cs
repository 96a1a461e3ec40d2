using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Clients.Azure.Checkpoints;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>
/// Shows <see cref="ContainerCheckpointStore"/>, through the members that the package's processor calls, as our own interface. What the
/// package's types have no place for, the store below it has recorded.
/// </summary>
internal sealed class PackageStoreAdapter : ICheckpointStore
{
    private readonly CheckpointGroup group;
    private readonly RecordingCheckpointStore recording;
    private readonly ContainerCheckpointStore fencing;
    private readonly ContainerCheckpointStore unfenced;

    public PackageStoreAdapter(CheckpointGroup group, ICheckpointStore below)
    {
        this.group = group;
        recording = new RecordingCheckpointStore(below);
        fencing = new ContainerCheckpointStore(group, recording, fencing: true);
        unfenced = new ContainerCheckpointStore(group, recording, fencing: false);
    }

    public async Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken)
    {
        var listed = await fencing.ListOwnershipAsync(group.FullyQualifiedNamespace, group.EventHub, group.ConsumerGroup, cancellationToken);
        return [.. listed.Select(GetOwnership)];
    }

    public async Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken)
    {
        var desired = new EventProcessorPartitionOwnership
        {
            FullyQualifiedNamespace = group.FullyQualifiedNamespace,
            EventHubName = group.EventHub,
            ConsumerGroup = group.ConsumerGroup,
            PartitionId = partitionId,
            OwnerIdentifier = ownerId,
            Version = etag,
        };
        var granted = await fencing.ClaimOwnershipAsync([desired], cancellationToken);
        return granted.Select(GetOwnership).SingleOrDefault();
    }

    public async Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken) =>
        await GetAsync(fencing, partitionId, cancellationToken) is null ? null : recording.Last;

    public async Task<Checkpoint> WriteCheckpointAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        Checkpoint? previous,
        bool fenced,
        CancellationToken cancellationToken
    )
    {
        var store = fenced ? fencing : unfenced;
        recording.AnswerNextRead(previous);
        await GetAsync(store, partitionId, cancellationToken);
        await store.UpdateCheckpointAsync(
            group.FullyQualifiedNamespace,
            group.EventHub,
            group.ConsumerGroup,
            partitionId,
            clientId,
            new CheckpointPosition(position.Offset, position.SequenceNumber),
            cancellationToken
        );
        return recording.Last!;
    }

    private Task<EventProcessorCheckpoint?> GetAsync(ContainerCheckpointStore store, string partitionId, CancellationToken cancellationToken) =>
        store.GetCheckpointAsync(group.FullyQualifiedNamespace, group.EventHub, group.ConsumerGroup, partitionId, cancellationToken);

    private static Ownership GetOwnership(EventProcessorPartitionOwnership ownership) =>
        new(ownership.PartitionId, ownership.OwnerIdentifier, ownership.LastModifiedTime, ownership.Version);
}
