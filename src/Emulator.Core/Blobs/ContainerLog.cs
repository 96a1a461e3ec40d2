using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// The log of a container. Content is read from its file on demand, and only the index is in memory. Only the holder of the container's lock may write. After
/// an <see cref="IOException"/> nothing was written.
/// </summary>
internal sealed class ContainerLog(EntityLog log)
{
    private const long DeadBytesAllowed = 16 * 1024 * 1024;

    private readonly RecordWriter writer = new();

    // After a failed rewrite, the next one waits until this number of bytes is dead.
    private long nextRewrite = DeadBytesAllowed;

    // The start of the payload of the newest blob or block.
    private long newest;

    public void Append(string name, ContainerState state)
    {
        ContainerRecords.WriteContainer(writer, name, state);
        log.Append(writer);
    }

    /// <summary>Stores content that a later record refers to.</summary>
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

    /// <summary>Removes the blob or block just appended, with the content of its record.</summary>
    public void Retract() => log.Retract(newest);

    public void AppendGone(string name, bool blocksOnly)
    {
        ContainerRecords.WriteGone(writer, name, blocksOnly);
        log.Append(writer);
    }

    /// <summary>Whether most of the log is dead.</summary>
    public bool IsRewriteDue(long liveBytes) => log.Length - liveBytes > Math.Max(nextRewrite, liveBytes);

    /// <summary>Rewrites the log. If the disk refuses, the old log remains.</summary>
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

    /// <summary>Attaches a piece that was found in the log to its place.</summary>
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

/// <summary>The properties of a container in one version. Immutable.</summary>
internal sealed record ContainerState(IReadOnlyDictionary<string, string> Metadata, string ETag, DateTimeOffset LastModified)
{
    /// <summary>The lease whose holder alone may delete the container.</summary>
    public Lease? Lease { get; init; }

    public string QuotedETag => $"\"{ETag}\"";

    public string LastModifiedText => HttpDate.Format(LastModified);
}
