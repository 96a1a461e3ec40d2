using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// The names of a container with their blobs and blocks. Callers reserve memory for what they add. The index releases the memory of removed objects, and counts
/// the live bytes of the log. The caller holds the container's lock.
/// </summary>
internal sealed class ContainerIndex(MemoryBudget budget, bool onDisk)
{
    private readonly Dictionary<string, BlobSlot> slots = new(StringComparer.Ordinal);
    private readonly SortedSet<string> names = new(StringComparer.Ordinal);

    /// <summary>The approximate number of bytes that the log must keep.</summary>
    public long LiveBytes { get; private set; }

    public int BlobCount { get; private set; }

    public long ContentBytes { get; private set; }

    public IEnumerable<BlobSlot> Slots => slots.Values;

    public BlobSlot? Find(string name) => slots.GetValueOrDefault(name);

    /// <summary>The memory of an uncommitted block, and of its name if it is new.</summary>
    public long GetCost(string name, BlobBlock block) => CostOfName(name) + GetCost(block);

    /// <summary>The memory of a new version without the blocks that already exist, and of its name if it is new.</summary>
    public long GetCost(StoredBlob blob)
    {
        var cost = CostOfName(blob.Content.Name) + blob.Content.Overhead;
        var slot = Find(blob.Content.Name);
        if (slot?.Blob?.Content.Blocks == blob.Content.Blocks)
        {
            return cost;
        }

        var present = slot is null && blob.Content.Blocks.Count == 1 ? null : GetBlocks(slot);
        for (var i = 0; i < blob.Content.Blocks.Count; i++)
        {
            var block = blob.Content.Blocks[i];
            cost += present?.Add(block) != false ? GetCost(block) : 0;
        }

        return cost;
    }

    /// <summary>Replaces the previous version, and drops the uncommitted blocks when the content is new.</summary>
    public void Set(StoredBlob blob, bool isNewContent)
    {
        var slot = GetSlot(blob.Content.Name);
        if (slot.Blob is { } previous)
        {
            Forget(previous);
        }

        if (isNewContent)
        {
            SetBlocks(slot, blob.Content.Blocks);
        }

        slot.Blob = blob;
        BlobCount++;
        ContentBytes += blob.Content.Length;
        LiveBytes += blob.RecordBytes;
        blob.Content.Spill(budget);
    }

    public void SetBlock(string name, BlobBlock block, DateTimeOffset now)
    {
        var slot = GetSlot(name);
        if (slot.Uncommitted.TryGetValue(block.Id!, out var replaced))
        {
            Drop(replaced, isKept: false);
        }

        slot.Uncommitted[block.Id!] = block;
        slot.LastBlockAt = now;
        LiveBytes += block.StoredBytes + block.RecordBytes;
    }

    public void DropUncommitted(BlobSlot slot)
    {
        HashSet<BlobBlock> kept = [.. slot.Blob?.Content.Blocks ?? []];
        foreach (var block in slot.Uncommitted.Values)
        {
            Drop(block, kept.Contains(block));
        }

        slot.ClearUncommitted();
        if (slot.IsEmpty)
        {
            Remove(slot.Name);
        }
    }

    public void Remove(BlobSlot slot)
    {
        foreach (var block in GetBlocks(slot))
        {
            Drop(block, isKept: false);
        }

        if (slot.Blob is { } blob)
        {
            Forget(blob);
        }

        Remove(slot.Name);
    }

    public void Clear()
    {
        foreach (var slot in slots.Values.ToArray())
        {
            Remove(slot);
        }
    }

    /// <summary>Collects one page of a list in ordinal order.</summary>
    public BlobPage List(BlobListQuery query)
    {
        BlobPage page = new(query);
        var seek = query.First;
        while (seek is not null && names.Count > 0 && string.CompareOrdinal(seek, names.Max) <= 0)
        {
            seek = Fill(page, seek);
        }

        return page;
    }

    /// <summary>The log was rewritten, so all of it is live.</summary>
    public void Rewritten(long logBytes) => LiveBytes = logBytes;

    // Returns where to continue after a common prefix. Null at the end of the page or of the names.
    private string? Fill(BlobPage page, string seek)
    {
        foreach (var name in names.GetViewBetween(seek, names.Max!))
        {
            switch (page.Add(slots[name]))
            {
                case BlobPageStep.Done:
                    return null;
                case BlobPageStep.SkipPrefix:
                    return page.BehindLastPrefix;
                default:
                    break;
            }
        }

        return null;
    }

    private long GetCost(BlobBlock block) => block.Overhead + (onDisk ? 0 : block.HeldBytes);

    private long CostOfName(string name) => slots.ContainsKey(name) ? 0 : BlobSlot.GetOverhead(name);

    private BlobSlot GetSlot(string name)
    {
        if (!slots.TryGetValue(name, out var slot))
        {
            slots[name] = slot = new BlobSlot(name);
            names.Add(name);
        }

        return slot;
    }

    private static HashSet<BlobBlock> GetBlocks(BlobSlot? slot)
    {
        HashSet<BlobBlock> blocks = [.. slot?.Blob?.Content.Blocks ?? []];
        if (slot is { HasUncommitted: true })
        {
            blocks.UnionWith(slot.Uncommitted.Values);
        }

        return blocks;
    }

    private void SetBlocks(BlobSlot slot, IReadOnlyList<BlobBlock> blocks)
    {
        var before = GetBlocks(slot);
        HashSet<BlobBlock> after = [.. blocks];
        foreach (var block in after)
        {
            if (before.Remove(block))
            {
                Drop(block, isKept: true);
            }
            else
            {
                LiveBytes += block.StoredBytes;
            }
        }

        foreach (var block in before)
        {
            Drop(block, isKept: false);
        }

        slot.ClearUncommitted();
    }

    private void Remove(string name)
    {
        slots.Remove(name);
        names.Remove(name);
        budget.Release(BlobSlot.GetOverhead(name));
    }

    private void Forget(StoredBlob blob)
    {
        budget.Release(blob.Content.Overhead);
        LiveBytes -= blob.RecordBytes;
        BlobCount--;
        ContentBytes -= blob.Content.Length;
    }

    // The record of an uncommitted block becomes dead even when the block is now part of a blob.
    private void Drop(BlobBlock block, bool isKept)
    {
        LiveBytes -= block.RecordBytes;
        block.RecordBytes = 0;
        if (!isKept)
        {
            budget.Release(GetCost(block));
            LiveBytes -= block.StoredBytes;
        }
    }
}
