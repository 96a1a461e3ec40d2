using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// A run of content, in memory, on the disk if memory is short, or in the container's log. It is moved under the container's lock, into the log when it is
/// stored, and within the log by a rewrite. Other threads may read it in the meantime, because both places hold the same bytes.
/// </summary>
internal sealed class ContentPiece
{
    /// <summary>Longer content is split, so that no upload needs more than one piece in memory.</summary>
    public const int LargestLength = (1024 * 1024) - 64;

    private const int NowhereYet = -1;

    private volatile byte[]? memory;
    private volatile StoredBytes? stored;

    public ContentPiece(byte[] bytes)
    {
        memory = bytes;
        Length = bytes.Length;
        Offset = NowhereYet;
    }

    /// <summary>Creates a piece that does not fit into memory.</summary>
    public ContentPiece(StoredBytes place)
    {
        stored = place;
        Length = (int)place.Length;
        Offset = NowhereYet;
    }

    /// <summary>Creates a piece found in a log that is being read. <see cref="MoveTo"/> follows once the log is open.</summary>
    public ContentPiece(long offset, int length)
    {
        Offset = offset;
        Length = length;
    }

    public int Length { get; }

    /// <summary>Where it begins in the log. The caller holds the container's lock.</summary>
    public long Offset { get; private set; }

    /// <summary>The bytes, when they are in memory.</summary>
    public byte[]? Memory => memory;

    public void MoveTo(long offset, StoredBytes place)
    {
        Offset = offset;
        stored = place;
        memory = null;
    }

    public void CopyTo(int from, Span<byte> into)
    {
        if (memory is { } bytes)
        {
            bytes.AsSpan(from, into.Length).CopyTo(into);
        }
        else
        {
            stored!.Read(from, into);
        }
    }
}
