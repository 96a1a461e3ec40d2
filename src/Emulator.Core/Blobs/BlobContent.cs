using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The standard headers that are stored with a blob and returned unchanged. An empty content type counts as absent.</summary>
internal sealed record BlobHttpHeaders(
    string ContentType,
    string? ContentEncoding,
    string? ContentLanguage,
    string? ContentMd5,
    string? CacheControl,
    string? ContentDisposition
)
{
    /// <summary>The total length in characters.</summary>
    public int Length =>
        ContentType.Length
        + (ContentEncoding?.Length ?? 0)
        + (ContentLanguage?.Length ?? 0)
        + (ContentMd5?.Length ?? 0)
        + (CacheControl?.Length ?? 0)
        + (ContentDisposition?.Length ?? 0);
}

/// <summary>The content that a request stores.</summary>
internal sealed record BlobContent
{
    // The size of the records, with version and lease.
    private const int FixedOverhead = 512;

    // The size of a metadata entry without its characters.
    private const int PairOverhead = 64;

    // Null once they are on the disk. Any thread reads it without the lock.
    private volatile BlobDetails? details;
    private volatile StoredBytes? spilled;

    public required string Name { get; init; }

    public required IReadOnlyList<BlobBlock> Blocks { get; init; }

    /// <summary>The other properties to store. Each call reads them again when they are on the disk.</summary>
    public required BlobDetails Details
    {
        get => details ?? BlobDetails.Decode(spilled!);
        init => details = value;
    }

    public BlobHttpHeaders Headers => Details.Headers;

    public IReadOnlyDictionary<string, string> Metadata => Details.Metadata;

    /// <summary>Lower-case hexadecimal. Null when no journal is written.</summary>
    public string? Sha256 => Details.Sha256;

    /// <summary>The source of a copied blob. Null when it was uploaded.</summary>
    public BlobCopy? Copy => Details.Copy;

    /// <summary>The parsed name when it follows the checkpoint layout.</summary>
    public CheckpointBlobParts? Layout { get; init; }

    public long Length
    {
        get
        {
            long length = 0;
            for (var i = 0; i < Blocks.Count; i++)
            {
                length += Blocks[i].Length;
            }

            return length;
        }
    }

    /// <summary>The length of its name and properties, in characters.</summary>
    public long TextLength => Name.Length + Details.TextLength;

    /// <summary>The memory that it uses in addition to its blocks, including their list.</summary>
    public long Overhead
    {
        get
        {
            var bare = FixedOverhead + (sizeof(char) * (long)Name.Length) + ((long)IntPtr.Size * Blocks.Count);
            return details is { } held ? bare + (sizeof(char) * held.TextLength) + (PairOverhead * held.Metadata.Count) : bare;
        }
    }

    /// <summary>
    /// Moves the details to the disk if the memory budget requires it. The caller holds the container's lock. Checkpoints and ownerships stay in memory,
    /// because they are few and read often.
    /// </summary>
    public void Spill(MemoryBudget budget)
    {
        if (Layout is not null || details is not { } held || !budget.IsSpilling || budget.TrySpill(held.Encode()) is not { } place)
        {
            return;
        }

        var before = Overhead;
        spilled = place;
        details = null;
        budget.Release(before - Overhead);
    }

    public static CheckpointBlobParts? GetLayout(string name) => CheckpointBlobName.TryParse(name, out var parts) ? parts : null;

    /// <summary>The pieces that contain a range of the content, in order.</summary>
    public IEnumerable<ContentRun> Runs(BlobRange range)
    {
        var skip = range.Start;
        var left = range.Length;
        for (var i = 0; i < Blocks.Count && left > 0; i++)
        {
            if (skip >= Blocks[i].Length)
            {
                skip -= Blocks[i].Length;
                continue;
            }

            foreach (var piece in Blocks[i].Pieces)
            {
                if (skip >= piece.Length)
                {
                    skip -= piece.Length;
                    continue;
                }

                var length = (int)Math.Min(left, piece.Length - skip);
                if (length > 0)
                {
                    yield return new ContentRun(piece, (int)skip, length);
                }

                skip = 0;
                left -= length;
            }
        }
    }
}

internal readonly record struct ContentRun(ContentPiece Piece, int From, int Length);

/// <summary>A completed copy: its identifier, the source as the client wrote it (without any signature), and the time.</summary>
internal sealed record BlobCopy(string Id, string Source, DateTimeOffset CompletedAt);
