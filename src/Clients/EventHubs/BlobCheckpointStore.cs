using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Ownerships and checkpoints of one consumer group as blobs in the official layout.</summary>
/// <param name="container">The container, for everything but writing checkpoints.</param>
/// <param name="writes">The same container, for writing checkpoints: their writer repeats them itself, with a newer position.</param>
/// <param name="fullyQualifiedNamespace">The event hub's host.</param>
/// <param name="hub">The event hub.</param>
/// <param name="group">The consumer group.</param>
/// <param name="clock">The clock.</param>
internal sealed class BlobCheckpointStore(
    IBlobContainer container,
    IBlobContainer writes,
    string fullyQualifiedNamespace,
    string hub,
    string group,
    TimeProvider clock
) : ICheckpointStore
{
    private const string OwnerKey = "ownerid";
    private const string OffsetKey = "offset";
    private const string SequenceKey = "sequencenumber";
    private const string ClientKey = "clientidentifier";

    // Per partition the positions whose writes ended without an answer since the last confirmed one: any may be stored. Each
    // list is used by its partition's writer alone.
    private readonly ConcurrentDictionary<string, List<EventPosition>> unanswered = new(StringComparer.Ordinal);
    private readonly string ownershipPrefix = CheckpointBlobName.OwnershipPrefix(fullyQualifiedNamespace, hub, group);
    private readonly string checkpointPrefix = CheckpointBlobName.CheckpointPrefix(fullyQualifiedNamespace, hub, group);

    public async Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken)
    {
        List<Ownership> ownerships = [];
        await foreach (BlobProperties blob in container.ListAsync(ownershipPrefix, cancellationToken).ConfigureAwait(false))
        {
            string partition = blob.Name[ownershipPrefix.Length..];
            if (partition.Length > 0 && !partition.Contains('/', StringComparison.Ordinal))
            {
                ownerships.Add(OwnershipOf(partition, blob));
            }
        }

        return ownerships;
    }

    public async Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken)
    {
        string blob = ownershipPrefix + partitionId;
        Dictionary<string, string> metadata = new() { [OwnerKey] = ownerId };
        try
        {
            if (
                etag is not null
                && await TrySetMetadataAsync(blob, metadata, BlobCondition.Match(etag), cancellationToken).ConfigureAwait(false) is { } renewed
            )
            {
                return new Ownership(partitionId, ownerId, renewed.LastModified, renewed.ETag);
            }

            string created = await CreateAsync(container, blob, metadata, BlobCondition.Absent, cancellationToken).ConfigureAwait(false);
            return new Ownership(partitionId, ownerId, clock.GetUtcNow(), created);
        }
        catch (MessagingException exception) when (exception.Kind == FailureKind.Conflict)
        {
            // Our own claim may have been stored although its answer was lost.
            BlobProperties? present = await container.GetPropertiesAsync(blob, cancellationToken).ConfigureAwait(false);
            Ownership? stored = present is null ? null : OwnershipOf(partitionId, present);
            return ownerId.Length > 0 && stored?.OwnerId == ownerId ? stored : null;
        }
    }

    public async Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken)
    {
        BlobProperties? blob = await container.GetPropertiesAsync(checkpointPrefix + partitionId, cancellationToken).ConfigureAwait(false);
        return blob is null ? null : CheckpointOf(partitionId, blob);
    }

    public async Task<Checkpoint> WriteCheckpointAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        Checkpoint? previous,
        bool fenced,
        CancellationToken cancellationToken
    )
    {
        BlobCondition condition = (fenced, previous) switch
        {
            (false, _) => BlobCondition.None,
            (true, null) => BlobCondition.Absent,
            (true, { ETag: string etag }) => BlobCondition.Match(etag),
        };
        List<EventPosition> doubtful = unanswered.GetOrAdd(partitionId, static _ => []);
        try
        {
            Checkpoint? written;
            while ((written = await TryStoreAsync(partitionId, position, clientId, condition, cancellationToken).ConfigureAwait(false)) is null)
            {
                Checkpoint stored = await ReadOwnAsync(partitionId, position, clientId, doubtful, cancellationToken).ConfigureAwait(false);
                if (stored.Position == position)
                {
                    written = stored;
                    break;
                }

                condition = BlobCondition.Match(stored.ETag);
            }

            doubtful.Clear();
            return written;
        }
        catch (Exception exception)
            when (exception
                    is OperationCanceledException
                        or MessagingException { Kind: FailureKind.Transient or FailureKind.Throttled or FailureKind.Unreachable }
            )
        {
            doubtful.Add(position);
            throw;
        }
    }

    private static Ownership OwnershipOf(string partitionId, BlobProperties blob) =>
        new(partitionId, blob.Metadata.GetValueOrDefault(OwnerKey, string.Empty), blob.LastModified, blob.ETag);

    private static Checkpoint CheckpointOf(string partitionId, BlobProperties blob)
    {
        string? offset = blob.Metadata.GetValueOrDefault(OffsetKey);
        offset = StoredOffset.IsNone(offset) ? null : offset;
        string? sequence = blob.Metadata.GetValueOrDefault(SequenceKey);
        long number = EventPosition.UnknownSequenceNumber;
        bool understood = string.IsNullOrWhiteSpace(sequence)
            ? offset is not null
            : long.TryParse(sequence, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
        if (!understood)
        {
            throw new MessagingException(
                FailureKind.Permanent,
                $"the checkpoint of partition {partitionId} cannot be read: '{SequenceKey}' is missing or not a number"
            )
            {
                Condition = "CheckpointUnreadable",
            };
        }

        string? clientId = blob.Metadata.GetValueOrDefault(ClientKey);
        return new Checkpoint(partitionId, new EventPosition(number, offset), string.IsNullOrEmpty(clientId) ? null : clientId, blob.ETag);
    }

    private static Task<string> CreateAsync(
        IBlobContainer target,
        string blob,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    ) =>
        target.UploadAsync(
            new BlobUpload
            {
                Name = blob,
                Content = ReadOnlyMemory<byte>.Empty,
                Metadata = metadata,
                Condition = condition,
            },
            cancellationToken
        );

    // Null when the condition does not hold.
    private async Task<Checkpoint?> TryStoreAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await StoreAsync(partitionId, position, clientId, condition, cancellationToken).ConfigureAwait(false);
        }
        catch (MessagingException exception) when (exception.Kind == FailureKind.Conflict)
        {
            return null;
        }
    }

    private async Task<Checkpoint> StoreAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        string blob = checkpointPrefix + partitionId;
        Dictionary<string, string> metadata = new()
        {
            [OffsetKey] = position.Offset ?? StoredOffset.None,
            [SequenceKey] = position.SequenceNumber.ToString(CultureInfo.InvariantCulture),
            [ClientKey] = clientId,
        };
        if (!condition.IfAbsent)
        {
            try
            {
                BlobProperties changed = await writes.SetMetadataAsync(blob, metadata, condition, cancellationToken).ConfigureAwait(false);
                return new Checkpoint(partitionId, position, clientId, changed.ETag);
            }
            catch (MessagingException exception) when (condition == BlobCondition.None && exception.Condition == BlobFailures.BlobNotFound)
            {
                // The official way: the first checkpoint creates its blob. With fencing a blob that vanished is an error.
            }
        }

        string created = await CreateAsync(writes, blob, metadata, condition, cancellationToken).ConfigureAwait(false);
        return new Checkpoint(partitionId, position, clientId, created);
    }

    // After a refused condition: either somebody else wrote, or a write of ours was stored without our knowing.
    private async Task<Checkpoint> ReadOwnAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        List<EventPosition> doubtful,
        CancellationToken cancellationToken
    )
    {
        Checkpoint? stored = await ReadCheckpointAsync(partitionId, cancellationToken).ConfigureAwait(false);
        bool own = stored is not null && stored.ClientId == clientId && (stored.Position == position || doubtful.Remove(stored.Position));
        return own
            ? stored!
            : throw new MessagingException(FailureKind.OwnershipLost, $"the checkpoint of partition {partitionId} has been written by somebody else");
    }

    private async Task<BlobProperties?> TrySetMetadataAsync(
        string blob,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await container.SetMetadataAsync(blob, metadata, condition, cancellationToken).ConfigureAwait(false);
        }
        catch (MessagingException exception) when (exception.Condition == BlobFailures.BlobNotFound)
        {
            return null;
        }
    }
}
