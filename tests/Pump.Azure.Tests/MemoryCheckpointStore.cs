using System.Collections.Concurrent;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;

namespace EventHubThroughput.Pump.Azure.Tests;

/// <summary>Ownerships and checkpoints of one consumer group, in memory.</summary>
internal sealed class MemoryCheckpointStore : CheckpointStore
{
    private readonly ConcurrentDictionary<string, EventProcessorPartitionOwnership> owners = new(StringComparer.Ordinal);

    /// <summary>The sequence number of each partition's checkpoint.</summary>
    public ConcurrentDictionary<string, long> Checkpoints { get; } = new(StringComparer.Ordinal);

    public override Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        CancellationToken cancellationToken
    ) => Task.FromResult<IEnumerable<EventProcessorPartitionOwnership>>([.. owners.Values]);

    public override Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    )
    {
        var claimed = desiredOwnership.ToList();
        foreach (var one in claimed)
        {
            (one.LastModifiedTime, one.Version) = (TimeProvider.System.GetUtcNow(), Guid.NewGuid().ToString());
            owners[one.PartitionId] = one;
        }

        return Task.FromResult<IEnumerable<EventProcessorPartitionOwnership>>(claimed);
    }

    public override Task<EventProcessorCheckpoint> GetCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        CancellationToken cancellationToken
    ) =>
        Task.FromResult(
            Checkpoints.TryGetValue(partitionId, out var sequence)
                ? new EventProcessorCheckpoint { PartitionId = partitionId, StartingPosition = EventPosition.FromSequenceNumber(sequence, isInclusive: false) }
                : null!
        );

    public override Task UpdateCheckpointAsync(
        string fullyQualifiedNamespace,
        string eventHubName,
        string consumerGroup,
        string partitionId,
        string clientIdentifier,
        CheckpointPosition startingPosition,
        CancellationToken cancellationToken
    )
    {
        Checkpoints[partitionId] = startingPosition.SequenceNumber;
        return Task.CompletedTask;
    }
}
