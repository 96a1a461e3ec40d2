using System.Globalization;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The standard headers that are stored with a blob and given back as they came.</summary>
internal sealed record BlobHttpHeaders(
    string ContentType, string? ContentEncoding, string? ContentLanguage, string? ContentMd5, string? CacheControl, string? ContentDisposition);

/// <summary>A block of a blob that was uploaded in blocks: its identifier and its place in the content.</summary>
internal readonly record struct CommittedBlock(string Id, int Offset, int Length);

/// <summary>What a request wants stored.</summary>
internal sealed record BlobContent
{
    // A dictionary entry, a tree node and the records themselves.
    private const int Overhead = 512;

    public required string Name { get; init; }

    public required ReadOnlyMemory<byte> Bytes { get; init; }

    public required BlobHttpHeaders Headers { get; init; }

    public required IReadOnlyDictionary<string, string> Metadata { get; init; }

    /// <summary>Lower-case hexadecimal; null when nobody keeps a journal.</summary>
    public string? Sha256 { get; init; }

    public IReadOnlyList<CommittedBlock> Blocks { get; init; } = [];

    /// <summary>The parts of the name when it is one of the checkpoint layout.</summary>
    public CheckpointBlobParts? Layout { get; init; }

    /// <summary>What it costs beside its bytes.</summary>
    public long Extra => Overhead + (2L * Name.Length) + Metadata.Sum(static pair => 2L * (pair.Key.Length + pair.Value.Length));
}

/// <summary>A blob in one version; never changed, only replaced.</summary>
/// <param name="Content">What was stored.</param>
/// <param name="ETag">The version, without quotes.</param>
/// <param name="LastModified">When this version was stored.</param>
/// <param name="CreatedAt">When the blob was first stored.</param>
internal sealed record StoredBlob(BlobContent Content, string ETag, DateTimeOffset LastModified, DateTimeOffset CreatedAt)
{
    public string QuotedETag => $"\"{ETag}\"";

    public string LastModifiedText => LastModified.ToString("R", CultureInfo.InvariantCulture);

    public long Footprint => Content.Bytes.Length + Content.Extra;
}
