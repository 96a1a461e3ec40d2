using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Processing.Sinks;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>A container through which each upload goes changed: what a mistake in the code that makes the upload comes to.</summary>
internal sealed class ChangedUploads(IBlobContainer inner, Func<BlobUpload, BlobUpload> change) : IBlobContainer
{
    public string Name => inner.Name;

    /// <summary>A value of the metadata is another one, or missing when it is null.</summary>
    public static Func<BlobUpload, BlobUpload> Metadata(string name, string? value) =>
        upload => upload with { Metadata = With(upload.Metadata ?? new Dictionary<string, string>(StringComparer.Ordinal), name, value) };

    /// <summary>The hash in the metadata is in capital letters.</summary>
    public static BlobUpload HashInCapitals(BlobUpload upload) => Metadata(EventBlob.HashName, upload.Metadata![EventBlob.HashName].ToUpperInvariant())(upload);

    /// <summary>The same metadata with another value, or without one when it is null.</summary>
    public static Dictionary<string, string> With(IReadOnlyDictionary<string, string> metadata, string name, string? value)
    {
        var changed = new Dictionary<string, string>(metadata, StringComparer.Ordinal);
        changed.Remove(name);
        if (value is not null)
        {
            changed[name] = value;
        }

        return changed;
    }

    public ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken) => inner.UploadAsync(change(upload), cancellationToken);

    public Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    ) => inner.SetMetadataAsync(name, metadata, condition, cancellationToken);

    public Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken) => inner.GetPropertiesAsync(name, cancellationToken);

    public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) => inner.DownloadAsync(name, cancellationToken);

    public IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, CancellationToken cancellationToken) => inner.ListAsync(prefix, cancellationToken);

    public Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken) =>
        inner.DeleteAsync(name, condition, cancellationToken);

    public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => inner.CreateIfMissingAsync(cancellationToken);

    public Task<bool> ExistsAsync(CancellationToken cancellationToken) => inner.ExistsAsync(cancellationToken);
}
