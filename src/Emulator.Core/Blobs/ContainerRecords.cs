using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// The records of a container's log. Content has separate records, or is at the end of the record that refers to it. Every other record has the whole state of
/// its subject, so the newest one applies.
/// </summary>
internal static class ContainerRecords
{
    /// <summary>The state of the container: the first record, and again after each change.</summary>
    public const byte Container = 1;

    /// <summary>Content alone. A record that refers to it follows.</summary>
    public const byte Piece = 2;

    /// <summary>A version of a blob.</summary>
    public const byte Blob = 3;

    /// <summary>An uncommitted block.</summary>
    public const byte Block = 4;

    /// <summary>The deletion of a blob, or of uncommitted blocks.</summary>
    public const byte Gone = 5;

    private const long WithinThisRecord = -1;

    public static void WriteContainer(RecordWriter writer, string name, ContainerState state)
    {
        writer.Start(Container).Text(name).Text(state.ETag).Time(state.LastModified);
        WriteMetadata(writer, state.Metadata);
        WriteLease(writer, state.Lease);
    }

    public static (string Name, ContainerState State) ReadContainer(ref RecordReader reader)
    {
        var name = Required(reader.Text());
        var etag = Required(reader.Text());
        var modified = reader.Time();
        return (name, new ContainerState(ReadMetadata(ref reader), etag, modified) { Lease = ReadLease(ref reader) });
    }

    /// <summary>Writes a blob, except content that is at the end of the record.</summary>
    public static void WriteBlob(RecordWriter writer, StoredBlob blob, bool isNewContent, Func<ContentPiece, long> placeOf)
    {
        var content = blob.Content;
        writer.Start(Blob).Byte(isNewContent ? (byte)1 : (byte)0).Text(content.Name).Text(blob.ETag).Time(blob.LastModified).Time(blob.CreatedAt);
        var details = content.Details;
        WriteHeaders(writer, details.Headers);
        WriteMetadata(writer, details.Metadata);
        writer.Text(details.Sha256);
        WriteLease(writer, blob.Lease);
        WriteCopy(writer, details.Copy);
        writer.Int32(content.Blocks.Count);
        for (var i = 0; i < content.Blocks.Count; i++)
        {
            WritePieces(writer.Text(content.Blocks[i].Id), content.Blocks[i], placeOf);
        }
    }

    public static (StoredBlob Blob, bool IsNewContent) ReadBlob(ref RecordReader reader, LogRecord record)
    {
        var isNewContent = reader.Byte() != 0;
        var name = Required(reader.Text());
        var etag = Required(reader.Text());
        var modified = reader.Time();
        var created = reader.Time();
        var headers = ReadHeaders(ref reader);
        var metadata = ReadMetadata(ref reader);
        var sha256 = reader.Text();
        var lease = ReadLease(ref reader);
        var copy = ReadCopy(ref reader);
        List<BlobBlock> blocks = [];
        for (var left = reader.Int32(); left > 0; left--)
        {
            blocks.Add(new BlobBlock(reader.Text(), ReadPieces(ref reader, record)));
        }

        BlobContent content = new()
        {
            Name = name,
            Blocks = blocks,
            Details = new BlobDetails
            {
                Headers = headers,
                Metadata = metadata,
                Sha256 = sha256,
                Copy = copy,
            },
            Layout = BlobContent.GetLayout(name),
        };
        return (new StoredBlob(content, etag, modified, created) { Lease = lease, RecordBytes = EntityLog.RecordOverhead + reader.Position }, isNewContent);
    }

    public static void WriteBlock(RecordWriter writer, string name, BlobBlock block, DateTimeOffset time, Func<ContentPiece, long> placeOf) =>
        WritePieces(writer.Start(Block).Text(name).Time(time).Text(block.Id), block, placeOf);

    public static (string Name, BlobBlock Block, DateTimeOffset Time) ReadBlock(ref RecordReader reader, LogRecord record)
    {
        var name = Required(reader.Text());
        var time = reader.Time();
        BlobBlock block = new(Required(reader.Text()), ReadPieces(ref reader, record)) { RecordBytes = EntityLog.RecordOverhead + reader.Position };
        return (name, block, time);
    }

    public static void WriteGone(RecordWriter writer, string name, bool blocksOnly) => writer.Start(Gone).Text(name).Byte(blocksOnly ? (byte)1 : (byte)0);

    public static (string Name, bool BlocksOnly) ReadGone(ref RecordReader reader) => (Required(reader.Text()), reader.Byte() != 0);

    public static void WriteHeaders(RecordWriter writer, BlobHttpHeaders headers) =>
        writer
            .Text(headers.ContentType)
            .Text(headers.ContentEncoding)
            .Text(headers.ContentLanguage)
            .Text(headers.ContentMd5)
            .Text(headers.CacheControl)
            .Text(headers.ContentDisposition);

    public static BlobHttpHeaders ReadHeaders(ref RecordReader reader) =>
        new(Required(reader.Text()), reader.Text(), reader.Text(), reader.Text(), reader.Text(), reader.Text());

    public static void WriteCopy(RecordWriter writer, BlobCopy? copy)
    {
        writer.Text(copy?.Id);
        if (copy is not null)
        {
            writer.Text(copy.Source).Time(copy.CompletedAt);
        }
    }

    public static BlobCopy? ReadCopy(ref RecordReader reader) => reader.Text() is { } id ? new BlobCopy(id, Required(reader.Text()), reader.Time()) : null;

    private static void WritePieces(RecordWriter writer, BlobBlock block, Func<ContentPiece, long> placeOf)
    {
        writer.Int32(block.Pieces.Length);
        foreach (var piece in block.Pieces)
        {
            writer.Int64(placeOf(piece)).Int32(piece.Length);
        }
    }

    private static ContentPiece[] ReadPieces(ref RecordReader reader, LogRecord record)
    {
        List<ContentPiece> pieces = [];
        for (var left = reader.Int32(); left > 0; left--)
        {
            var place = reader.Int64();
            var length = reader.Int32();
            var end = record.Offset + record.Payload.Length;

            // At most one piece is inside a record, at its end.
            var offset = place == WithinThisRecord ? end - length : place;
            pieces.Add(
                length >= 0 && offset >= sizeof(ulong) && offset <= end - length
                    ? new ContentPiece(offset, length)
                    : throw new InvalidDataException("a record refers to missing content")
            );
        }

        return [.. pieces];
    }

    public static void WriteMetadata(RecordWriter writer, IReadOnlyDictionary<string, string> metadata)
    {
        writer.Int32(metadata.Count);
        foreach ((var name, var value) in metadata)
        {
            writer.Text(name).Text(value);
        }
    }

    public static Dictionary<string, string> ReadMetadata(ref RecordReader reader)
    {
        Dictionary<string, string> metadata = new(StringComparer.OrdinalIgnoreCase);
        for (var left = reader.Int32(); left > 0; left--)
        {
            metadata[Required(reader.Text())] = Required(reader.Text());
        }

        return metadata;
    }

    private static void WriteLease(RecordWriter writer, Lease? lease)
    {
        writer.Text(lease?.Id);
        if (lease is not null)
        {
            writer.Int64(lease.Duration?.Ticks ?? 0).Int64(lease.EndsAt?.UtcTicks ?? 0).Int64(lease.BrokenAt?.UtcTicks ?? 0);
        }
    }

    private static Lease? ReadLease(ref RecordReader reader)
    {
        if (reader.Text() is not { } id)
        {
            return null;
        }

        var duration = reader.Int64();
        return new Lease(id, duration == 0 ? null : TimeSpan.FromTicks(duration), OptionalTime(ref reader), OptionalTime(ref reader));
    }

    private static DateTimeOffset? OptionalTime(ref RecordReader reader) => reader.Time() is { Ticks: > 0 } time ? time : null;

    private static string Required(string? text) => text ?? throw new InvalidDataException("a record lacks a name");
}
