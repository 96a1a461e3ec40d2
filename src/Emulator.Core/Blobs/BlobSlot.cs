namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The blob and the uncommitted blocks of one name. The caller holds the container's lock.</summary>
internal sealed class BlobSlot(string name)
{
    private const int FixedOverhead = 256;

    // The service drops blocks that stay uncommitted for this time.
    private static readonly TimeSpan UncommittedLife = TimeSpan.FromDays(7);

    private OrderedDictionary<string, BlobBlock>? uncommitted;

    public string Name { get; } = name;

    /// <summary>The blob. Null while there are only uncommitted blocks.</summary>
    public StoredBlob? Blob { get; set; }

    /// <summary>The uncommitted blocks in order of arrival. Created on first use, because most blobs are uploaded whole.</summary>
    public OrderedDictionary<string, BlobBlock> Uncommitted => uncommitted ??= new(StringComparer.Ordinal);

    public bool HasUncommitted => uncommitted is { Count: > 0 };

    public DateTimeOffset LastBlockAt { get; set; }

    public bool IsEmpty => Blob is null && !HasUncommitted;

    public bool HasStaleBlocks(DateTimeOffset now) => HasUncommitted && now - LastBlockAt > UncommittedLife;

    /// <summary>The memory of a slot without its blob and blocks: an index entry, a node of the order, and the characters.</summary>
    public static long GetOverhead(string name) => FixedOverhead + ((long)sizeof(char) * name.Length);

    /// <summary>The blocks that a list names. Where both kinds are allowed, uncommitted blocks take precedence. Null when one is missing.</summary>
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

    /// <summary>Releases the uncommitted blocks and their list.</summary>
    public void ClearUncommitted() => uncommitted = null;

    // If several committed blocks have the same identifier, the first counts.
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
