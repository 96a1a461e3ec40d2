using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Received content without any reference to it, and the memory reserved for it. Disposing releases both. The caller that stores the content empties it first.
/// For one request at a time.
/// </summary>
internal sealed class PendingContent(StoredContainer container, MemoryBudget budget) : IDisposable
{
    private readonly List<ContentPiece> pieces = [];

    public long Length => pieces.Sum(static piece => (long)piece.Length);

    public long ReservedBytes { get; private set; }

    /// <summary>The pieces in the log, which a rewrite must carry along.</summary>
    public IReadOnlyList<ContentPiece> Pieces => pieces;

    /// <summary>Their bytes in the log.</summary>
    public long KeptBytes { get; private set; }

    public bool TryReserve(long bytes)
    {
        if (!budget.TryReserve(bytes))
        {
            return false;
        }

        ReservedBytes += bytes;
        return true;
    }

    /// <summary>Takes over the filled part of a buffer whose size was reserved.</summary>
    /// <param name="buffer">No other code uses it afterwards.</param>
    /// <param name="filled">The number of bytes of content.</param>
    /// <param name="isAll">Whether this is the end of the content. Small content is stored inside the record that refers to it.</param>
    public BlobFailure? Add(byte[] buffer, int filled, bool isAll)
    {
        if (!container.IsOnDisk && budget.TrySpill(buffer.AsSpan(0, filled)) is { } place)
        {
            pieces.Add(new ContentPiece(place));
            Release(buffer.Length);
            return null;
        }

        if (!container.IsOnDisk || isAll)
        {
            var surplus = buffer.Length - filled;
            Array.Resize(ref buffer, filled);
            pieces.Add(new ContentPiece(buffer));
            Release(surplus);
            return null;
        }

        var failure = container.Keep(buffer.AsMemory(0, filled), this);
        Release(buffer.Length);
        return failure;
    }

    /// <summary>Called by the container, with its lock held, when a piece is in its log.</summary>
    public void Kept(ContentPiece piece)
    {
        pieces.Add(piece);
        KeptBytes += piece.Length;
    }

    public BlobBlock ToBlock(string? id) => new(id, [.. pieces]);

    /// <summary>Called by the container, with its lock held, when the content is stored and its memory is counted elsewhere.</summary>
    public void Forget()
    {
        pieces.Clear();
        ReservedBytes = 0;
    }

    public void Dispose()
    {
        container.Discard(this);
        Release(ReservedBytes);
        pieces.Clear();
    }

    private void Release(long bytes)
    {
        budget.Release(bytes);
        ReservedBytes -= bytes;
    }
}
