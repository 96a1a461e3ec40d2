// Without annotations, as in the package.
#nullable disable

using System;
using Azure.Core;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Azure.Storage.Blobs;

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobClient : BlobBaseClient
{
    internal BlobClient() => throw null!;

    public virtual Task<Response<BlobContentInfo>> UploadAsync(BinaryData content, BlobUploadOptions options, CancellationToken cancellationToken = default) =>
        throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobClientOptions : ClientOptions
{
    public BlobClientOptions(BlobClientOptions.ServiceVersion version = (BlobClientOptions.ServiceVersion)26) => throw null!;

    public bool TrimBlobNameSlashes
    {
        set => throw null!;
    }

    public enum ServiceVersion { }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobContainerClient
{
    public BlobContainerClient(Uri blobContainerUri, StorageSharedKeyCredential credential, BlobClientOptions options = null) => throw null!;

    public BlobContainerClient(Uri blobContainerUri, TokenCredential credential, BlobClientOptions options = null) => throw null!;

    public virtual BlobClient GetBlobClient(string blobName) => throw null!;

    public virtual Task<Response<BlobContainerInfo>> CreateAsync(
        PublicAccessType publicAccessType = default,
        IDictionary<string, string> metadata = null,
        BlobContainerEncryptionScopeOptions encryptionScopeOptions = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task<Response<bool>> ExistsAsync(CancellationToken cancellationToken = default) => throw null!;

    public virtual AsyncPageable<BlobItem> GetBlobsAsync(
        BlobTraits traits = default,
        BlobStates states = default,
        string prefix = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual string Name
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobServiceClient
{
    internal BlobServiceClient() => throw null!;
}

[ReadFrom("Azure.Storage.Blobs", "12.24.0")]
public class BlobUriBuilder
{
    public BlobUriBuilder(Uri uri, bool trimBlobNameSlashes) => throw null!;

    public string BlobContainerName
    {
        get => throw null!;
    }

    public string BlobName
    {
        get => throw null!;
    }
}
