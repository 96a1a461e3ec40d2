namespace EventHubThroughput.Emulator.Blobs;

/// <summary>All that a container holds under one name. For the holder of the container's lock.</summary>
internal sealed class BlobSlot(string name)
{
    // The service drops blocks that nobody committed for so long.
    private static readonly TimeSpan UncommittedLife = TimeSpan.FromDays(7);

    public string Name { get; } = name;

    /// <summary>The blob; null while there are only uncommitted blocks.</summary>
    public StoredBlob? Blob { get; set; }

    /// <summary>In the order in which they came.</summary>
    public OrderedDictionary<string, BlobBlock> Uncommitted { get; } = new(StringComparer.Ordinal);

    public DateTimeOffset LastBlockAt { get; set; }

    public bool IsEmpty => Blob is null && Uncommitted.Count == 0;

    public bool HasStaleBlocks(DateTimeOffset now) => Uncommitted.Count > 0 && now - LastBlockAt > UncommittedLife;

    /// <summary>The block that a list names: of the uncommitted ones first when it may be either.</summary>
    public BlobBlock? Find(BlockReference reference)
    {
        if (reference.Uncommitted && Uncommitted.TryGetValue(reference.Id, out BlobBlock? uncommitted))
        {
            return uncommitted;
        }

        if (reference.Committed && Blob is { } blob)
        {
            foreach (BlobBlock committed in blob.Content.Blocks)
            {
                if (committed.Id == reference.Id)
                {
                    return committed;
                }
            }
        }

        return null;
    }
}
