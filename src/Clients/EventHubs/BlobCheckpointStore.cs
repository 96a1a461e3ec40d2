using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>Ownerships and checkpoints of one consumer group as blobs in the official layout.</summary>
/// <param name="container">The container, for everything except writing checkpoints.</param>
/// <param name="writes">The same container, for writing checkpoints: their writer repeats a failed write with a newer position.</param>
/// <param name="fullyQualifiedNamespace">The event hub's host.</param>
/// <param name="hub">The event hub.</param>
/// <param name="group">The consumer group.</param>
/// <param name="clock">The clock.</param>
/// <param name="notice">Called once with a line about blobs below the ownership prefix that are not ownerships. Or null.</param>
/// <param name="log">Logs lost answers. Or null.</param>
internal sealed class BlobCheckpointStore(
    IBlobContainer container,
    IBlobContainer writes,
    string fullyQualifiedNamespace,
    string hub,
    string group,
    TimeProvider clock,
    Action<string>? notice = null,
    ILogger? log = null
) : ICheckpointStore
{
    private const string OwnerKey = "ownerid";
    private const string OffsetKey = "offset";
    private const string SequenceKey = "sequencenumber";
    private const string ClientKey = "clientidentifier";

    // Per partition the positions whose writes ended without an answer since the last confirmed one: any may be stored. Only the partition's writer uses a
    // list.
    private readonly ConcurrentDictionary<string, List<EventPosition>> unanswered = new(StringComparer.Ordinal);

    // Partitions whose last claim ended without an answer: it may be stored.
    private readonly ConcurrentDictionary<string, bool> unansweredClaims = new(StringComparer.Ordinal);
    private readonly string ownershipPrefix = CheckpointBlobName.OwnershipPrefix(fullyQualifiedNamespace, hub, group);
    private readonly string checkpointPrefix = CheckpointBlobName.CheckpointPrefix(fullyQualifiedNamespace, hub, group);
    private readonly ILogger log = log ?? NullLogger.Instance;
    private int noticed;

    public async Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken)
    {
        List<Ownership> ownerships = [];
        await foreach (var blob in container.ListAsync(ownershipPrefix, cancellationToken).ConfigureAwait(false))
        {
            var partition = blob.Name[ownershipPrefix.Length..];
            if (CheckpointBlobName.IsPartition(partition))
            {
                ownerships.Add(GetOwnership(partition, blob));
            }
            else if (Interlocked.Exchange(ref noticed, 1) == 0)
            {
                notice?.Invoke(
                    $"warning: container '{container.Name}' has blobs that are not ownerships of a partition, such as '{blob.Name}'. They are ignored"
                );
            }
        }

        return ownerships;
    }

    public async Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken)
    {
        var blob = ownershipPrefix + partitionId;
        try
        {
            var claimed = await TryClaimAsync(partitionId, blob, ownerId, etag, cancellationToken).ConfigureAwait(false);
            unansweredClaims.TryRemove(partitionId, out _);
            return claimed;
        }
        catch (Exception exception) when (IsUnanswered(exception))
        {
            unansweredClaims[partitionId] = true;
            throw;
        }
    }

    public async Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken)
    {
        var blob = await container.GetPropertiesAsync(checkpointPrefix + partitionId, cancellationToken).ConfigureAwait(false);
        return blob is null ? null : GetCheckpoint(partitionId, blob);
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
        var condition = (fenced, previous) switch
        {
            (false, _) => BlobCondition.None,
            (true, null) => BlobCondition.Absent,
            (true, { ETag: string etag }) => BlobCondition.Match(etag),
        };
        var doubtful = unanswered.GetOrAdd(partitionId, static _ => []);
        try
        {
            Checkpoint? written = null;
            while (written is null)
            {
                try
                {
                    written = await StoreAsync(partitionId, position, clientId, condition, cancellationToken).ConfigureAwait(false);
                }
                catch (MessagingException refused) when (refused.Kind == FailureKind.Conflict)
                {
                    if (refused.FollowsUnanswered)
                    {
                        doubtful.Add(position);
                    }

                    var stored = await ReadOwnAsync(partitionId, clientId, doubtful, cancellationToken).ConfigureAwait(false);
                    written = stored.Position == position ? stored : null;
                    condition = BlobCondition.Match(stored.ETag);
                }
            }

            doubtful.Clear();
            return written;
        }
        catch (Exception exception) when (IsUnanswered(exception))
        {
            doubtful.Add(position);
            throw;
        }
    }

    private static bool IsUnanswered(Exception exception) =>
        exception is OperationCanceledException or MessagingException { Kind: FailureKind.Transient or FailureKind.Throttled or FailureKind.Unreachable };

    private static Ownership GetOwnership(string partitionId, BlobProperties blob) =>
        new(partitionId, blob.Metadata.GetValueOrDefault(OwnerKey, string.Empty), blob.LastModified, blob.ETag);

    private static Checkpoint GetCheckpoint(string partitionId, BlobProperties blob)
    {
        var offset = blob.Metadata.GetValueOrDefault(OffsetKey);
        offset = StoredOffset.IsNone(offset) ? null : offset;
        var sequence = blob.Metadata.GetValueOrDefault(SequenceKey);
        var number = EventPosition.UnknownSequenceNumber;
        var understood = string.IsNullOrWhiteSpace(sequence)
            ? offset is not null
            : long.TryParse(sequence, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number) && number >= EventPosition.UnknownSequenceNumber;
        if (!understood)
        {
            throw new MessagingException(
                FailureKind.Permanent,
                $"the checkpoint of partition {partitionId} cannot be read: '{SequenceKey}' is missing or not the number of an event"
            )
            {
                Condition = "CheckpointUnreadable",
            };
        }

        var clientId = blob.Metadata.GetValueOrDefault(ClientKey);
        return new Checkpoint(partitionId, new EventPosition(number, offset), string.IsNullOrEmpty(clientId) ? null : clientId, blob.ETag);
    }

    private async Task<Ownership?> TryClaimAsync(string partitionId, string blob, string ownerId, string? etag, CancellationToken cancellationToken)
    {
        var metadata = new Dictionary<string, string>() { [OwnerKey] = ownerId };
        try
        {
            if (
                etag is not null
                && await TrySetMetadataAsync(blob, metadata, BlobCondition.Match(etag), cancellationToken).ConfigureAwait(false) is { } renewed
            )
            {
                return new Ownership(partitionId, ownerId, renewed.LastModified, renewed.ETag);
            }

            var created = await CreateAsync(container, blob, metadata, BlobCondition.Absent, cancellationToken).ConfigureAwait(false);
            return new Ownership(partitionId, ownerId, clock.GetUtcNow(), created);
        }
        catch (MessagingException conflict) when (conflict.Kind == FailureKind.Conflict)
        {
            // Our name proves nothing: another processor may also have it. Only a claim whose answer was lost can be ours.
            if (ownerId.Length == 0 || !(conflict.FollowsUnanswered || unansweredClaims.ContainsKey(partitionId)))
            {
                return null;
            }

            var present = await container.GetPropertiesAsync(blob, cancellationToken).ConfigureAwait(false);
            if (present is null || GetOwnership(partitionId, present) is not { } stored || stored.OwnerId != ownerId)
            {
                return null;
            }

            Log.StoredAfterAll(log, partitionId);
            return stored;
        }
    }

    private static ValueTask<string> CreateAsync(
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

    private async Task<Checkpoint> StoreAsync(
        string partitionId,
        EventPosition position,
        string clientId,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        var blob = checkpointPrefix + partitionId;
        var metadata = new Dictionary<string, string>()
        {
            [OffsetKey] = position.Offset ?? StoredOffset.None,
            [SequenceKey] = position.SequenceNumber.ToString(CultureInfo.InvariantCulture),
            [ClientKey] = clientId,
        };
        if (!condition.IfAbsent)
        {
            try
            {
                var changed = await writes.SetMetadataAsync(blob, metadata, condition, cancellationToken).ConfigureAwait(false);
                return new Checkpoint(partitionId, position, clientId, changed.ETag);
            }
            catch (MessagingException exception) when (condition == BlobCondition.None && exception.Condition == BlobFailures.BlobNotFound)
            {
                // As the official SDKs do: the first checkpoint creates its blob. With fencing a missing blob is an error.
            }
        }

        var created = await CreateAsync(writes, blob, metadata, condition, cancellationToken).ConfigureAwait(false);
        return new Checkpoint(partitionId, position, clientId, created);
    }

    // After a refused condition: another processor wrote, maybe under our name, or a write of ours was stored without an answer.
    private async Task<Checkpoint> ReadOwnAsync(string partitionId, string clientId, List<EventPosition> doubtful, CancellationToken cancellationToken)
    {
        var stored = await ReadCheckpointAsync(partitionId, cancellationToken).ConfigureAwait(false);
        if (stored is null || stored.ClientId != clientId || !doubtful.Remove(stored.Position))
        {
            throw new MessagingException(FailureKind.OwnershipLost, $"the checkpoint of partition {partitionId} has been written by another owner");
        }

        Log.StoredAfterAll(log, partitionId);
        return stored;
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
