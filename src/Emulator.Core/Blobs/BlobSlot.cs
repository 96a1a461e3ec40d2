namespace EventHubThroughput.Emulator.Blobs;

/// <summary>All that a container holds under one name. For the holder of the container's lock.</summary>
internal sealed class BlobSlot(string name)
{
    private const int FixedOverhead = 256;

    // The service drops blocks that nobody committed for so long.
    private static readonly TimeSpan UncommittedLife = TimeSpan.FromDays(7);

    private OrderedDictionary<string, BlobBlock>? uncommitted;

    public string Name { get; } = name;

    /// <summary>The blob. Null while there are only uncommitted blocks.</summary>
    public StoredBlob? Blob { get; set; }

    /// <summary>In the order in which they came. Made when it is first asked for: most blobs are put whole.</summary>
    public OrderedDictionary<string, BlobBlock> Uncommitted => uncommitted ??= new(StringComparer.Ordinal);

    public bool HasUncommitted => uncommitted is { Count: > 0 };

    public DateTimeOffset LastBlockAt { get; set; }

    public bool IsEmpty => Blob is null && !HasUncommitted;

    public bool HasStaleBlocks(DateTimeOffset now) => HasUncommitted && now - LastBlockAt > UncommittedLife;

    /// <summary>What a slot costs in memory beside its blob and blocks: an entry of the index, a node of the order, the characters.</summary>
    public static long OverheadOf(string name) => FixedOverhead + ((long)sizeof(char) * name.Length);

    /// <summary>The blocks that a list names, of the uncommitted ones first where it may be either. Null when one is missing.</summary>
    public BlobBlock[]? Find(IReadOnlyList<BlockReference> list)
    {
        var committed = CommittedById();
        var blocks = new BlobBlock[list.Count];
        for (var i = 0; i < list.Count; i++)
        {
            BlobBlock? found = null;
            if (
                !(list[i].Uncommitted && Uncommitted.TryGetValue(list[i].Id, out found)) && !(list[i].Committed && committed.TryGetValue(list[i].Id, out found))
            )
            {
                return null;
            }

            blocks[i] = found;
        }

        return blocks;
    }

    /// <summary>Lets go of the uncommitted blocks, and of the room for 50,000 of them.</summary>
    public void ClearUncommitted() => uncommitted = null;

    // Of several committed blocks with one identifier the first counts.
    private Dictionary<string, BlobBlock> CommittedById()
    {
        Dictionary<string, BlobBlock> committed = new(StringComparer.Ordinal);
        foreach (var block in Blob?.Content.Blocks ?? [])
        {
            if (block.Id is { } id)
            {
                committed.TryAdd(id, block);
            }
        }

        return committed;
    }
}
