using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Reads a container back from its log. What was acknowledged before is held whatever the memory limit says, and what the journal has not
/// heard of is told before anybody can ask for it.
/// </summary>
internal sealed class ContainerRecovery(string name, ContainerIndex index, VersionSource versions, MemoryBudget budget, BlobJournal journal)
{
    private readonly long heard = VersionSource.NumberOf(journal.LastOf(name));

    // By blob: the version before the one that the journal has not heard of, if the log still has it.
    private readonly Dictionary<string, StoredBlob?> before = new(StringComparer.Ordinal);

    /// <summary>Null when the log was begun and nothing came of it: its creation was never acknowledged.</summary>
    public ContainerState? State { get; private set; }

    /// <exception cref="InvalidDataException">Not a record of a container's log.</exception>
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
                budget.Reserve(index.CostOf(blobName, block));
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

    /// <summary>Lets what was found be read from the log.</summary>
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

    /// <summary>Tells the journal of the blobs that it has not heard of, oldest first.</summary>
    public BlobFailure? TellUnheardOf()
    {
        foreach (
            var blob in index
                .Slots.Select(static slot => slot.Blob)
                .OfType<StoredBlob>()
                .Where(IsUnheardOf)
                .OrderBy(static blob => VersionSource.NumberOf(blob.ETag))
        )
        {
            if (journal.Stored(name, before.GetValueOrDefault(blob.Content.Name), WithHash(blob)) is { } failure)
            {
                return failure;
            }
        }

        return null;
    }

    // One that was stored while nobody kept a journal was never hashed.
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

    private bool IsUnheardOf(StoredBlob blob) => journal.IsKept && VersionSource.NumberOf(blob.ETag) > heard;

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
        // The record of a change names its content again; the objects that are there already go on.
        var present = index.Find(blob.Content.Name)?.Blob;
        var next = !isNewContent && present is not null ? blob with { Content = blob.Content with { Blocks = present.Content.Blocks } } : blob;

        // A lease that changes makes no new version.
        if (IsUnheardOf(blob) && present?.ETag != blob.ETag)
        {
            before[blob.Content.Name] = present;
        }

        budget.Reserve(index.CostOf(next));
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
