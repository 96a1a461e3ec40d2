// Without annotations, as in the package.
#nullable disable

using Azure.Storage.Blobs.Models;

namespace Azure.Storage.Blobs.Specialized;

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobBaseClient
{
    internal BlobBaseClient() => throw null!;

    public virtual Task<Response<BlobDownloadStreamingResult>> DownloadStreamingAsync(
        BlobDownloadOptions options = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task<Response> DeleteAsync(
        DeleteSnapshotsOption snapshotsOption = default,
        BlobRequestConditions conditions = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task<Response<BlobProperties>> GetPropertiesAsync(BlobRequestConditions conditions = null, CancellationToken cancellationToken = default) =>
        throw null!;

    public virtual Task<Response<BlobInfo>> SetMetadataAsync(
        IDictionary<string, string> metadata,
        BlobRequestConditions conditions = null,
        CancellationToken cancellationToken = default
    ) => throw null!;
}
