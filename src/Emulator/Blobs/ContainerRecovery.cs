using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Reads a container back from its log. What was acknowledged before is held whatever the memory limit says.</summary>
internal sealed class ContainerRecovery(string name, ContainerIndex index, VersionSource versions, MemoryBudget budget)
{
    /// <summary>Null when the log was begun and nothing came of it: its creation was never acknowledged.</summary>
    public ContainerState? State { get; private set; }

    /// <exception cref="InvalidDataException">Not a record of a container's log.</exception>
    public void Replay(LogRecord record)
    {
        RecordReader reader = new(record.Payload);
        byte kind = reader.Byte();
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
                (StoredBlob blob, bool isNewContent) = ContainerRecords.ReadBlob(ref reader, record);
                versions.Pass(blob.ETag);
                ReplayBlob(blob, isNewContent);
                break;
            case ContainerRecords.Block:
                (string blobName, BlobBlock block, DateTimeOffset time) = ContainerRecords.ReadBlock(ref reader, record);
                budget.Reserve(index.CostOf(blobName, block));
                index.SetBlock(blobName, block, time);
                break;
            case ContainerRecords.Gone:
                (string gone, bool blocksOnly) = ContainerRecords.ReadGone(ref reader);
                ReplayGone(gone, blocksOnly);
                break;
            default:
                throw new InvalidDataException($"kind {kind} of a record is unknown");
        }
    }

    /// <summary>Lets what was found be read from the log.</summary>
    public void Complete(ContainerLog log)
    {
        foreach (BlobSlot slot in index.Slots)
        {
            foreach (BlobBlock block in slot.Uncommitted.Values.Concat(slot.Blob?.Content.Blocks ?? []))
            {
                foreach (ContentPiece piece in block.Pieces)
                {
                    log.Bind(piece);
                }
            }
        }
    }

    private void ReplayContainer(ref RecordReader reader)
    {
        (string recorded, ContainerState state) = ContainerRecords.ReadContainer(ref reader);
        if (recorded != name)
        {
            throw new InvalidDataException($"the log of container '{recorded}' lies under the name '{name}'");
        }

        versions.Pass(state.ETag);
        State = state;
    }

    private void ReplayBlob(StoredBlob blob, bool isNewContent)
    {
        // The record of a change names its content again; the objects that are there already go on.
        StoredBlob next = !isNewContent && index.Find(blob.Content.Name)?.Blob is { } present
            ? blob with { Content = blob.Content with { Blocks = present.Content.Blocks } }
            : blob;
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
