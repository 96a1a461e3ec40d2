namespace EventHubThroughput.Emulator.Blobs;

/// <summary>What a list asks for.</summary>
/// <param name="Prefix">Names begin with this; may be empty.</param>
/// <param name="Delimiter">Names are cut behind its first place after the prefix; null for a flat list.</param>
/// <param name="From">The first name of this page; empty for the first page.</param>
/// <param name="Maximum">Entries of a page.</param>
/// <param name="Metadata">Whether metadata is shown.</param>
internal sealed record BlobListQuery(string Prefix, string? Delimiter, string From, int Maximum, bool Metadata);

/// <summary>One entry: a blob, or a common prefix.</summary>
internal readonly record struct BlobEntry(string Name, StoredBlob? Blob);

/// <summary>How a list goes on.</summary>
internal enum BlobPageStep
{
    /// <summary>With the next name.</summary>
    Next,

    /// <summary>Behind all names that share the prefix just added.</summary>
    SkipPrefix,

    /// <summary>Not at all: the page is full or the prefix is passed.</summary>
    Done,
}

/// <summary>One page of a list while it is filled.</summary>
internal sealed class BlobPage(BlobListQuery query)
{
    public List<BlobEntry> Entries { get; } = [];

    /// <summary>The first name of the next page; null at the end.</summary>
    public string? Next { get; private set; }

    /// <summary>The least name that is behind all names with the last common prefix.</summary>
    public string BehindLastPrefix { get; private set; } = string.Empty;

    public BlobPageStep Add(string name, StoredBlob blob)
    {
        if (!name.StartsWith(query.Prefix, StringComparison.Ordinal))
        {
            return BlobPageStep.Done;
        }

        if (Entries.Count == query.Maximum)
        {
            Next = name;
            return BlobPageStep.Done;
        }

        int cut = query.Delimiter is { Length: > 0 } delimiter
            ? name.IndexOf(delimiter, query.Prefix.Length, StringComparison.Ordinal)
            : -1;
        if (cut < 0)
        {
            Entries.Add(new BlobEntry(name, blob));
            return BlobPageStep.Next;
        }

        string common = name[..(cut + query.Delimiter!.Length)];
        Entries.Add(new BlobEntry(common, null));

        // Names hold no U+FFFF, so this is above every name with the prefix.
        BehindLastPrefix = common + '\uffff';
        return BlobPageStep.SkipPrefix;
    }
}
