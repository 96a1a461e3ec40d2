// Without annotations, as in the package.
#nullable disable

namespace Azure.Storage.Blobs.Models;

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobContainerEncryptionScopeOptions
{
    internal BlobContainerEncryptionScopeOptions() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobContainerInfo
{
    internal BlobContainerInfo() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobContentInfo
{
    internal BlobContentInfo() => throw null!;

    public ETag ETag
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobDownloadDetails
{
    internal BlobDownloadDetails() => throw null!;

    public long ContentLength
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobDownloadOptions
{
    internal BlobDownloadOptions() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobDownloadStreamingResult : IDisposable
{
    internal BlobDownloadStreamingResult() => throw null!;

    public BlobDownloadDetails Details
    {
        get => throw null!;
    }

    public Stream Content
    {
        get => throw null!;
    }

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobHttpHeaders
{
    public BlobHttpHeaders() => throw null!;

    public string ContentType
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobInfo
{
    internal BlobInfo() => throw null!;

    public ETag ETag
    {
        get => throw null!;
    }

    public DateTimeOffset LastModified
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobItem
{
    internal BlobItem() => throw null!;

    public string Name
    {
        get => throw null!;
    }

    public BlobItemProperties Properties
    {
        get => throw null!;
    }

    public IDictionary<string, string> Metadata
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobItemProperties
{
    internal BlobItemProperties() => throw null!;

    public DateTimeOffset? LastModified
    {
        get => throw null!;
    }

    public long? ContentLength
    {
        get => throw null!;
    }

    public string ContentType
    {
        get => throw null!;
    }

    public ETag? ETag
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobLeaseRequestConditions : RequestConditions
{
    internal BlobLeaseRequestConditions() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobProperties
{
    internal BlobProperties() => throw null!;

    public DateTimeOffset LastModified
    {
        get => throw null!;
    }

    public IDictionary<string, string> Metadata
    {
        get => throw null!;
    }

    public long ContentLength
    {
        get => throw null!;
    }

    public string ContentType
    {
        get => throw null!;
    }

    public ETag ETag
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobRequestConditions : BlobLeaseRequestConditions
{
    public BlobRequestConditions() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public enum BlobStates
{
    None = 0,
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public enum BlobTraits
{
    Metadata = 2,
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobUploadOptions
{
    public BlobUploadOptions() => throw null!;

    public BlobHttpHeaders HttpHeaders
    {
        set => throw null!;
    }

    public IDictionary<string, string> Metadata
    {
        set => throw null!;
    }

    public BlobRequestConditions Conditions
    {
        set => throw null!;
    }

    public StorageTransferOptions TransferOptions
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public enum DeleteSnapshotsOption { }

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public enum PublicAccessType { }
