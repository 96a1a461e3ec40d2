using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A block of a blob. Content that was uploaded as a whole is one block without an identifier.</summary>
internal sealed class BlobBlock(string? id, ContentPiece[] pieces)
{
    private const int BlockOverhead = 128;
    private const int PieceOverhead = 96;

    public string? Id { get; } = id;

    public ContentPiece[] Pieces { get; } = pieces;

    public long Length { get; } = pieces.Sum(static piece => (long)piece.Length);

    /// <summary>The bytes that it holds in memory, unless a log stores them.</summary>
    public long HeldBytes { get; } = pieces.Sum(static piece => (long)(piece.Memory?.Length ?? 0));

    /// <summary>The memory that it uses in addition to its bytes. The first piece of whole content is counted with the blob.</summary>
    public long Overhead { get; } =
        id is null ? PieceOverhead * Math.Max(0L, pieces.Length - 1) : BlockOverhead + (2L * id.Length) + (PieceOverhead * (long)pieces.Length);

    /// <summary>The bytes of its pieces in the log.</summary>
    public long StoredBytes => Length + (EntityLog.RecordOverhead * (long)Pieces.Length);

    /// <summary>The bytes of its record in the log while it is uncommitted.</summary>
    public long RecordBytes { get; set; }
}
