namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The parameters of a list request.</summary>
/// <param name="Prefix">Names begin with this. May be empty.</param>
/// <param name="Delimiter">Names are cut after its first occurrence that follows the prefix. Null for a flat list.</param>
/// <param name="From">The first name of this page. Empty for the first page.</param>
/// <param name="Maximum">The most entries of a page.</param>
/// <param name="Include">What the list shows in addition to names and properties.</param>
internal sealed record BlobListQuery(string Prefix, string? Delimiter, string From, int Maximum, BlobListParts Include)
{
    /// <summary>Names before it are excluded. Empty for none.</summary>
    public string StartFrom { get; init; } = string.Empty;

    /// <summary>It and the names after it are excluded. Null for none.</summary>
    public string? EndBefore { get; init; }

    /// <summary>The least name that this page may have.</summary>
    public string First => Later(From, Later(Prefix, StartFrom));

    private static string Later(string one, string other) => string.CompareOrdinal(one, other) > 0 ? one : other;
}

/// <summary>What a list may show in addition to names and properties.</summary>
[Flags]
internal enum BlobListParts
{
    None = 0,
    Metadata = 1,
    Copy = 2,

    /// <summary>Names that have only uncommitted blocks.</summary>
    Uncommitted = 4,
}

/// <summary>One entry: a blob, a common prefix, or (neither) a name that has only uncommitted blocks.</summary>
internal readonly record struct BlobEntry(string Name, StoredBlob? Blob, bool IsPrefix);

/// <summary>Where a list continues.</summary>
internal enum BlobPageStep
{
    /// <summary>At the next name.</summary>
    Next,

    /// <summary>After all names that share the prefix just added.</summary>
    SkipPrefix,

    /// <summary>Nowhere: the page is full or the prefix is passed.</summary>
    Done,
}

/// <summary>One page of a list, while it is filled.</summary>
internal sealed class BlobPage(BlobListQuery query)
{
    // A page that is limited by its text has fewer entries than requested, which the service allows too.
    private const long LargestText = 4 * 1024 * 1024;

    private long text;

    public List<BlobEntry> Entries { get; } = [];

    /// <summary>The first name of the next page. Null at the end.</summary>
    public string? Next { get; private set; }

    /// <summary>The least text after all names with the last common prefix. Null when there is none.</summary>
    public string? BehindLastPrefix { get; private set; }

    public BlobPageStep Add(BlobSlot slot)
    {
        var name = slot.Name;
        if (!name.StartsWith(query.Prefix, StringComparison.Ordinal) || (query.EndBefore is { } end && string.CompareOrdinal(name, end) >= 0))
        {
            return BlobPageStep.Done;
        }

        if (slot.Blob is null && !query.Include.HasFlag(BlobListParts.Uncommitted))
        {
            return BlobPageStep.Next;
        }

        if (Entries.Count == query.Maximum || text >= LargestText)
        {
            Next = name;
            return BlobPageStep.Done;
        }

        var cut = query.Delimiter is { Length: > 0 } delimiter ? name.IndexOf(delimiter, query.Prefix.Length, StringComparison.Ordinal) : -1;
        if (cut < 0)
        {
            Entries.Add(new BlobEntry(name, slot.Blob, IsPrefix: false));
            text += slot.Blob?.Content.TextLength ?? name.Length;
            return BlobPageStep.Next;
        }

        var common = name[..(cut + query.Delimiter!.Length)];
        Entries.Add(new BlobEntry(common, Blob: null, IsPrefix: true));
        text += common.Length;
        BehindLastPrefix = Behind(common);
        return BlobPageStep.SkipPrefix;
    }

    private static string? Behind(string prefix)
    {
        var counted = prefix.TrimEnd(char.MaxValue);
        return counted.Length == 0 ? null : counted[..^1] + (char)(counted[^1] + 1);
    }
}
