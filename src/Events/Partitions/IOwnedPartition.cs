using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Why a partition stopped.</summary>
public enum PartitionStopReason
{
    /// <summary>The processor is stopping, or gives the partition up itself.</summary>
    Shutdown,

    /// <summary>Another processor has it now: nothing more may be checkpointed.</summary>
    OwnershipLost,

    /// <summary>Reading failed for good.</summary>
    Faulted,
}

/// <summary>A partition while this process owns it: one ownership.</summary>
public interface IOwnedPartition
{
    /// <summary>The partition.</summary>
    string PartitionId { get; }

    /// <summary>The checkpoint at which it was claimed. Null when there was none.</summary>
    Checkpoint? StartedFrom { get; }

    /// <summary>Cancelled when the partition is lost, before <see cref="IPartitionHandler.CloseAsync"/>.</summary>
    CancellationToken Lost { get; }

    /// <summary>
    /// To be called before each write for this partition. It usually completes immediately. After a long time without a renewal, as after a suspension of the
    /// process, another processor may have the partition. Then it asks the store first.
    /// </summary>
    /// <exception cref="OperationCanceledException">
    /// Another processor has the partition, and <see cref="Lost"/> is cancelled. Or the token was cancelled.
    /// </exception>
    ValueTask EnsureOwnedAsync(CancellationToken cancellationToken);

    /// <summary>Stores the position for the consumer group. The caller calls it for one position at a time, never backwards.</summary>
    /// <exception cref="MessagingException">When the write failed. Kind OwnershipLost when another processor writes here.</exception>
    Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken);
}

/// <summary>Receives one partition's batches during one ownership. Calls never overlap.</summary>
public interface IPartitionHandler
{
    /// <summary>Handles the next batch. An exception ends the processor, which rethrows it to its caller.</summary>
    Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Called once, last. For <see cref="PartitionStopReason.Shutdown"/> the partition is still owned and may be checkpointed. Ownership is given up when it
    /// returns.
    /// </summary>
    Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken);
}
