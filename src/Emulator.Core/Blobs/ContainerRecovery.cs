using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Restores a container from its log. Acknowledged data is restored regardless of the memory limit. Versions that are missing in the journal are recorded
/// before any client can read them.
/// </summary>
internal sealed class ContainerRecovery(string name, ContainerIndex index, VersionSource versions, MemoryBudget budget, BlobJournal journal)
{
    private readonly long recorded = VersionSource.GetNumber(journal.GetLast(name));

    // By blob: the version before the unrecorded one, if the log still has it.
    private readonly Dictionary<string, StoredBlob?> before = new(StringComparer.Ordinal);

    /// <summary>Null when the log has no state, because its creation was never acknowledged.</summary>
    public ContainerState? State { get; private set; }

    /// <exception cref="InvalidDataException">The record does not belong to the log of a container.</exception>
    public void Replay(LogRecord record)
    {
        RecordReader reader = new(record.Payload);
        var kind = reader.Byte();
        if (State is null && kind != ContainerRecords.Container)
        {
            throw new InvalidDataException("not the log of a container");
        }

        switch (kind)
        {
            case ContainerRecords.Container:
                ReplayContainer(ref reader);
                break;
            case ContainerRecords.Piece:
                break;
            case ContainerRecords.Blob:
                (var blob, var isNewContent) = ContainerRecords.ReadBlob(ref reader, record);
                versions.Pass(blob.ETag);
                ReplayBlob(blob, isNewContent);
                break;
            case ContainerRecords.Block:
                (var blobName, var block, var time) = ContainerRecords.ReadBlock(ref reader, record);
                budget.Reserve(index.GetCost(blobName, block));
                index.SetBlock(blobName, block, time);
                break;
            case ContainerRecords.Gone:
                (var gone, var blocksOnly) = ContainerRecords.ReadGone(ref reader);
                ReplayGone(gone, blocksOnly);
                break;
            default:
                throw new InvalidDataException($"kind {kind} of a record is unknown");
        }
    }

    /// <summary>Attaches the restored content to the log.</summary>
    public void Complete(ContainerLog log)
    {
        foreach (var slot in index.Slots)
        {
            foreach (var block in slot.Uncommitted.Values.Concat(slot.Blob?.Content.Blocks ?? []))
            {
                foreach (var piece in block.Pieces)
                {
                    log.Bind(piece);
                }
            }
        }
    }

    /// <summary>Writes the missing journal records of blobs, oldest first.</summary>
    public BlobFailure? ReportUnacknowledged()
    {
        foreach (
            var blob in index
                .Slots.Select(static slot => slot.Blob)
                .OfType<StoredBlob>()
                .Where(IsUnacknowledged)
                .OrderBy(static blob => VersionSource.GetNumber(blob.ETag))
        )
        {
            if (journal.Stored(name, before.GetValueOrDefault(blob.Content.Name), WithHash(blob)) is { } failure)
            {
                return failure;
            }
        }

        return null;
    }

    // A blob that was stored without a journal has no hash.
    private static StoredBlob WithHash(StoredBlob blob)
    {
        if (blob.Content.Sha256 is not null)
        {
            return blob;
        }

        using ContentHashes hashes = new(sha256: true, md5: false, crc64: false);
        hashes.Append(blob.Content, new BlobRange(0, blob.Content.Length), CancellationToken.None);
        return blob with { Content = blob.Content with { Details = blob.Content.Details with { Sha256 = hashes.Sha256() } } };
    }

    private bool IsUnacknowledged(StoredBlob blob) => journal.IsKept && VersionSource.GetNumber(blob.ETag) > recorded;

    private void ReplayContainer(ref RecordReader reader)
    {
        (var recorded, var state) = ContainerRecords.ReadContainer(ref reader);
        if (recorded != name)
        {
            throw new InvalidDataException($"the log of container '{recorded}' has the name '{name}'");
        }

        versions.Pass(state.ETag);
        State = state;
    }

    private void ReplayBlob(StoredBlob blob, bool isNewContent)
    {
        // The record of a change refers to the same content. Existing objects are reused.
        var present = index.Find(blob.Content.Name)?.Blob;
        var next = !isNewContent && present is not null ? blob with { Content = blob.Content with { Blocks = present.Content.Blocks } } : blob;

        // A change of a lease creates no new version.
        if (IsUnacknowledged(blob) && present?.ETag != blob.ETag)
        {
            before[blob.Content.Name] = present;
        }

        budget.Reserve(index.GetCost(next));
        index.Set(next, isNewContent);
    }

    private void ReplayGone(string gone, bool blocksOnly)
    {
        if (index.Find(gone) is not { } slot)
        {
            return;
        }

        if (blocksOnly)
        {
            index.DropUncommitted(slot);
        }
        else
        {
            index.Remove(slot);
        }
    }
}
