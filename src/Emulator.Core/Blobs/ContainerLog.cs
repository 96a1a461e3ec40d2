using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// The log in which a container lives: content is read from its file whenever it is asked for, the index alone is in memory.
/// Writing is for the holder of the container's lock. An <see cref="IOException"/> means that nothing was written.
/// </summary>
internal sealed class ContainerLog(EntityLog log)
{
    private const long DeadBytesAllowed = 16 * 1024 * 1024;

    private readonly RecordWriter writer = new();

    // A rewrite that failed is not tried again before so much more is dead.
    private long nextRewrite = DeadBytesAllowed;

    // Where the payload of the newest blob or block begins.
    private long newest;

    public void Append(string name, ContainerState state)
    {
        ContainerRecords.WriteContainer(writer, name, state);
        log.Append(writer);
    }

    /// <summary>Stores content that something else is to refer to.</summary>
    public ContentPiece Append(ReadOnlyMemory<byte> bytes)
    {
        byte[] kind = [ContainerRecords.Piece];
        ContentPiece piece = new(log.Append(kind, bytes) + kind.Length, bytes.Length);
        Bind(piece);
        return piece;
    }

    public void Append(StoredBlob blob, bool isNewContent)
    {
        ContainerRecords.WriteBlob(writer, blob, isNewContent, static piece => piece.Offset);
        var within = isNewContent ? blob.Content.Blocks.SelectMany(static block => block.Pieces).FirstOrDefault(IsNowhere) : null;
        AppendWith(within);
        blob.RecordBytes = EntityLog.RecordOverhead + writer.Length;
    }

    public void Append(string name, BlobBlock block, DateTimeOffset time)
    {
        ContainerRecords.WriteBlock(writer, name, block, time, static piece => piece.Offset);
        AppendWith(block.Pieces.FirstOrDefault(IsNowhere));
        block.RecordBytes = EntityLog.RecordOverhead + writer.Length;
    }

    /// <summary>Takes back the blob or block just appended, and whatever content was in its record.</summary>
    public void Retract() => log.Retract(newest);

    public void AppendGone(string name, bool blocksOnly)
    {
        ContainerRecords.WriteGone(writer, name, blocksOnly);
        log.Append(writer);
    }

    /// <summary>Whether most of the log is dead.</summary>
    public bool IsRewriteDue(long liveBytes) => log.Length - liveBytes > Math.Max(nextRewrite, liveBytes);

    /// <summary>Writes the log anew. A disk that refuses leaves the old one.</summary>
    public void Rewrite(string name, ContainerState state, ContainerIndex index, IReadOnlyCollection<ContentPiece> loose)
    {
        ContainerRewrite rewrite = new();
        try
        {
            log.Rewrite(fresh => rewrite.Write(fresh, name, state, index, loose));
        }
        catch (IOException)
        {
            nextRewrite = 2 * (log.Length - index.LiveBytes);
            return;
        }

        nextRewrite = DeadBytesAllowed;
        foreach ((var piece, var offset) in rewrite.Moved)
        {
            MoveTo(piece, offset);
        }

        index.Rewritten(log.Length - loose.Sum(static piece => (long)piece.Length));
    }

    /// <summary>Gives a piece that was found in the log its place to be read from.</summary>
    public void Bind(ContentPiece piece) => MoveTo(piece, piece.Offset);

    private static bool IsNowhere(ContentPiece piece) => piece.Memory is not null;

    private void AppendWith(ContentPiece? within)
    {
        var head = writer.Written.ToArray();
        newest = within?.Memory is { } bytes ? log.Append(head, bytes) : log.Append(head);
        if (within is not null)
        {
            MoveTo(within, newest + head.Length);
        }
    }

    private void MoveTo(ContentPiece piece, long offset) => piece.MoveTo(offset, log.Slice(offset, piece.Length));
}

/// <summary>What a container tells of itself, in one version. Never changed, only replaced.</summary>
internal sealed record ContainerState(IReadOnlyDictionary<string, string> Metadata, string ETag, DateTimeOffset LastModified)
{
    /// <summary>Who alone may delete it.</summary>
    public Lease? Lease { get; init; }

    public string QuotedETag => $"\"{ETag}\"";

    public string LastModifiedText => HttpDate.Format(LastModified);
}
