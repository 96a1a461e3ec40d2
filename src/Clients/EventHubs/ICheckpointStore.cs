namespace EventHubThroughput.Clients.EventHubs;

/// <summary>A claim on a partition. An empty owner means that it was given up.</summary>
/// <param name="PartitionId">The partition.</param>
/// <param name="OwnerId">The processor's identifier. Empty when given up.</param>
/// <param name="LastModified">When it was last renewed, by the store's clock.</param>
/// <param name="ETag">The version that was read or written.</param>
public sealed record Ownership(string PartitionId, string OwnerId, DateTimeOffset LastModified, string ETag);

/// <summary>
/// Ownerships and checkpoints as blobs in the layout of the official SDKs, so that any of them can share the consumer group. The name is
/// <c>{namespace}/{hub}/{group}/ownership|checkpoint/{partition}</c> in lower case. The state is in the metadata.
/// </summary>
public interface ICheckpointStore
{
    /// <summary>Lists all ownerships of the consumer group.</summary>
    Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken);

    /// <summary>Claims, renews or (with an empty owner) gives up a partition.</summary>
    /// <param name="partitionId">The partition.</param>
    /// <param name="ownerId">The version that the ownership must still have. Null when there was none.</param>
    /// <param name="etag">The version it must still have. Null when there was none.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <returns>The new ownership, or null when another processor was faster.</returns>
    Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken);

    /// <summary>Reads a partition's checkpoint. Null when there is none.</summary>
    Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken);

    /// <summary>Stores a checkpoint.</summary>
    /// <param name="partitionId">The partition.</param>
    /// <param name="position">The position to store.</param>
    /// <param name="clientId">The identifier of the writer.</param>
    /// <param name="previous">The last checkpoint that was read or written, whose version must still be the stored one. Null when there was none.</param>
    /// <param name="fenced">False writes unconditionally, as the official SDKs do.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <exception cref="MessagingException">Kind <see cref="FailureKind.OwnershipLost"/> when another writer was faster.</exception>
    Task<Checkpoint> WriteCheckpointAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        Checkpoint? previous,
        bool fenced,
        CancellationToken cancellationToken
    );
}
