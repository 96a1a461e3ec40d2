using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A blob in one version. Never changed, only replaced.</summary>
/// <param name="Content">What was stored.</param>
/// <param name="ETag">The version, without quotes.</param>
/// <param name="LastModified">When this version was stored.</param>
/// <param name="CreatedAt">When the blob was first stored.</param>
internal sealed record StoredBlob(BlobContent Content, string ETag, DateTimeOffset LastModified, DateTimeOffset CreatedAt)
{
    /// <summary>Who alone may write. Null when there was never a lease or it has no effect any more. A change of it is no new version.</summary>
    public Lease? Lease { get; init; }

    /// <summary>What its record takes in the log, content put into the record not counted. Set when it is written.</summary>
    public long RecordBytes { get; set; }

    public string QuotedETag => $"\"{ETag}\"";

    public string LastModifiedText => HttpDate.Format(LastModified);
}
