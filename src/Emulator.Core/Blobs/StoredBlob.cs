using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A blob in one version. Immutable.</summary>
/// <param name="Content">The stored content.</param>
/// <param name="ETag">The version, without quotes.</param>
/// <param name="LastModified">When this version was stored.</param>
/// <param name="CreatedAt">When the blob was first stored.</param>
internal sealed record StoredBlob(BlobContent Content, string ETag, DateTimeOffset LastModified, DateTimeOffset CreatedAt)
{
    /// <summary>The lease whose holder alone may write. Null when there is no lease or it has ended. A change of it creates no new version.</summary>
    public Lease? Lease { get; init; }

    /// <summary>The bytes of its record in the log, without content inside the record. Set when it is written.</summary>
    public long RecordBytes { get; set; }

    public string QuotedETag => $"\"{ETag}\"";

    public string LastModifiedText => HttpDate.Format(LastModified);
}
