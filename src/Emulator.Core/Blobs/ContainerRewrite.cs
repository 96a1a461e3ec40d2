using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Writes the live data of a container into a new log, and stores the new place of each piece.</summary>
internal sealed class ContainerRewrite
{
    private readonly RecordWriter writer = new();
    private readonly byte[] buffer = new byte[ContentPiece.LargestLength];

    // Maps old places to new ones. After a restart two objects may refer to the same content.
    private readonly Dictionary<long, long> places = [];

    public List<(ContentPiece Piece, long Offset)> Moved { get; } = [];

    public void Write(EntityLog fresh, string name, ContainerState state, ContainerIndex index, IEnumerable<ContentPiece> loose)
    {
        ContainerRecords.WriteContainer(writer, name, state);
        fresh.Append(writer);
        foreach (var piece in loose)
        {
            Carry(fresh, piece);
        }

        foreach (var slot in index.Slots)
        {
            if (slot.Blob is { } blob)
            {
                CarryAll(fresh, blob.Content.Blocks);
                ContainerRecords.WriteBlob(writer, blob, isNewContent: true, GetPlace);
                fresh.Append(writer);
                blob.RecordBytes = EntityLog.RecordOverhead + writer.Length;
            }

            foreach (var block in slot.Uncommitted.Values)
            {
                CarryAll(fresh, [block]);
                ContainerRecords.WriteBlock(writer, slot.Name, block, slot.LastBlockAt, GetPlace);
                fresh.Append(writer);
                block.RecordBytes = EntityLog.RecordOverhead + writer.Length;
            }
        }
    }

    private long GetPlace(ContentPiece piece) => places[piece.Offset];

    private void CarryAll(EntityLog fresh, IReadOnlyList<BlobBlock> blocks)
    {
        foreach (var block in blocks)
        {
            foreach (var piece in block.Pieces)
            {
                Carry(fresh, piece);
            }
        }
    }

    private void Carry(EntityLog fresh, ContentPiece piece)
    {
        if (!places.TryGetValue(piece.Offset, out var offset))
        {
            var bytes = buffer.AsMemory(0, piece.Length);
            piece.CopyTo(0, bytes.Span);
            byte[] kind = [ContainerRecords.Piece];
            offset = fresh.Append(kind, bytes) + kind.Length;
            places.Add(piece.Offset, offset);
        }

        Moved.Add((piece, offset));
    }
}
