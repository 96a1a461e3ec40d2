using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The properties that are stored with a blob in addition to name and content.</summary>
internal sealed record BlobDetails
{
    private const byte Kind = 1;

    [ThreadStatic]
    private static RecordWriter? s_writer;

    public required BlobHttpHeaders Headers { get; init; }

    public required IReadOnlyDictionary<string, string> Metadata { get; init; }

    public string? Sha256 { get; init; }

    public BlobCopy? Copy { get; init; }

    /// <summary>The total length in characters.</summary>
    public long TextLength =>
        Headers.Length + (Sha256?.Length ?? 0) + (Copy?.Source.Length ?? 0) + Metadata.Sum(static pair => (long)pair.Key.Length + pair.Value.Length);

    /// <summary>Encodes the properties for <see cref="Decode"/>. The bytes belong to the thread, and its next call overwrites them.</summary>
    public ReadOnlySpan<byte> Encode()
    {
        var writer = s_writer ??= new RecordWriter();
        writer.Start(Kind);
        ContainerRecords.WriteHeaders(writer, Headers);
        ContainerRecords.WriteMetadata(writer, Metadata);
        writer.Text(Sha256);
        ContainerRecords.WriteCopy(writer, Copy);
        return writer.Written;
    }

    public static BlobDetails Decode(StoredBytes place)
    {
        var bytes = new byte[place.Length];
        place.Read(0, bytes);
        RecordReader reader = new(bytes);
        reader.Byte();
        return new BlobDetails
        {
            Headers = ContainerRecords.ReadHeaders(ref reader),
            Metadata = ContainerRecords.ReadMetadata(ref reader),
            Sha256 = reader.Text(),
            Copy = ContainerRecords.ReadCopy(ref reader),
        };
    }
}
