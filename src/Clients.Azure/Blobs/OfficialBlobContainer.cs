using System.Runtime.CompilerServices;
using Azure;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Blobs;
using BlobProperties = EventHubThroughput.Clients.Blobs.BlobProperties;
using SdkProperties = Azure.Storage.Blobs.Models.BlobProperties;

namespace EventHubThroughput.Clients.Azure.Blobs;

/// <summary>A container over the package's client.</summary>
internal sealed class OfficialBlobContainer(BlobContainerClient client, StorageFailures failures) : IBlobContainer
{
    // One request for any size: a blob in blocks could be half written when this process ends.
    private static readonly StorageTransferOptions OneRequest = new()
    {
        InitialTransferSize = BlobLimits.LargestBlob,
        MaximumTransferSize = BlobLimits.LargestBlob,
    };

    // The package only reads them.
    private static readonly BlobUploadOptions Plain = new() { TransferOptions = OneRequest };

    public string Name => client.Name;

    /// <summary>A container over a client of the user, with the retries of that client's options.</summary>
    /// <param name="client">The client, which still belongs to the user.</param>
    /// <param name="options">The clock, and how long storage may be unreachable.</param>
    public static OfficialBlobContainer Over(BlobContainerClient client, ClientOptions options) => new(client, new StorageFailures(client.Uri, options));

    public async Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken)
    {
        try
        {
            await failures
                .RunAsync(new BlobSubject(Name, null), () => client.CreateAsync(cancellationToken: cancellationToken), cancellationToken)
                .ConfigureAwait(false);
            return true;
        }
        catch (MessagingException exception) when (exception.Condition == "ContainerAlreadyExists")
        {
            return false;
        }
    }

    public async Task<bool> ExistsAsync(CancellationToken cancellationToken) =>
        await failures
            .RunAsync(new BlobSubject(Name, null), async () => (await client.ExistsAsync(cancellationToken).ConfigureAwait(false)).Value, cancellationToken)
            .ConfigureAwait(false);

    public ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        BlobLimits.Check(Name, upload);
        return new ValueTask<string>(SendAsync(upload, cancellationToken));
    }

    // Without the closures of StorageFailures.RunAsync, because it is called for every event.
    private async Task<string> SendAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        var blob = GetBlob(upload.Name);
        var sdk = GetOptions(upload);
        var started = failures.Begin();
        try
        {
            var written = (await blob.UploadAsync(BinaryData.FromBytes(upload.Content), sdk, cancellationToken).ConfigureAwait(false)).Value;
            failures.Answered();
            return GetText(written.ETag);
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw failures.Of(exception, new BlobSubject(Name, upload.Name), started);
        }
    }

    public Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        BlobLimits.CheckMetadata(Name, name, metadata);
        return OnBlobAsync(
            name,
            async blob =>
            {
                var written = (await blob.SetMetadataAsync(Writable(metadata), GetConditions(condition), cancellationToken).ConfigureAwait(false)).Value;
                return new BlobProperties(name, GetText(written.ETag), written.LastModified, 0, null, metadata);
            },
            cancellationToken
        );
    }

    public async Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            return await OnBlobAsync(
                    name,
                    async blob =>
                    {
                        var read = (await blob.GetPropertiesAsync(cancellationToken: cancellationToken).ConfigureAwait(false)).Value;
                        return new BlobProperties(name, GetText(read.ETag), read.LastModified, read.ContentLength, read.ContentType, LowerCase(read.Metadata));
                    },
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (MessagingException exception) when (IsMissingBlob(exception))
        {
            return null;
        }
    }

    public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) =>
        OnBlobAsync<ReadOnlyMemory<byte>>(
            name,
            async blob =>
            {
                using var download = (await blob.DownloadStreamingAsync(cancellationToken: cancellationToken).ConfigureAwait(false)).Value;
                BlobLimits.CheckLength(Name, name, download.Details.ContentLength);
                var content = GC.AllocateUninitializedArray<byte>((int)download.Details.ContentLength);
                await download.Content.ReadExactlyAsync(content, cancellationToken).ConfigureAwait(false);
                return content;
            },
            cancellationToken
        );

    public async IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var items = client.GetBlobsAsync(BlobTraits.Metadata, BlobStates.None, prefix, cancellationToken).GetAsyncEnumerator(cancellationToken);
        await using (items.ConfigureAwait(false))
        {
            while (await failures.RunAsync(new BlobSubject(Name, null), () => items.MoveNextAsync().AsTask(), cancellationToken).ConfigureAwait(false))
            {
                var item = items.Current;
                yield return new BlobProperties(
                    item.Name,
                    GetText(item.Properties.ETag ?? default),
                    item.Properties.LastModified ?? DateTimeOffset.UnixEpoch,
                    item.Properties.ContentLength ?? 0,
                    item.Properties.ContentType,
                    LowerCase(item.Metadata)
                );
            }
        }
    }

    public async Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken)
    {
        try
        {
            await OnBlobAsync(name, blob => blob.DeleteAsync(conditions: GetConditions(condition), cancellationToken: cancellationToken), cancellationToken)
                .ConfigureAwait(false);
            return true;
        }
        catch (MessagingException exception) when (IsMissingBlob(exception))
        {
            return false;
        }
    }

    // In some places the package reports a missing container as a missing blob. The callers here must not do so.
    private static bool IsMissingBlob(MessagingException exception) =>
        exception.Kind == FailureKind.NotFound && exception.Condition != BlobFailures.ContainerNotFound;

    private static BlobRequestConditions? GetConditions(BlobCondition condition) =>
        condition switch
        {
            { IfAbsent: true } => new BlobRequestConditions { IfNoneMatch = ETag.All },
            { IfMatch: { } etag } => new BlobRequestConditions { IfMatch = new ETag(etag) },
            _ => null,
        };

    private static BlobUploadOptions GetOptions(BlobUpload upload) =>
        upload is { ContentType: null, Metadata: null } && upload.Condition == BlobCondition.None
            ? Plain
            : new BlobUploadOptions
            {
                Conditions = GetConditions(upload.Condition),
                HttpHeaders = upload.ContentType is { } type ? new BlobHttpHeaders { ContentType = type } : null,
                Metadata = upload.Metadata is { } metadata ? Writable(metadata) : null,
                TransferOptions = OneRequest,
            };

    private static string GetText(ETag etag) => etag.ToString("G").Trim('"');

    private static Dictionary<string, string> LowerCase(IDictionary<string, string> metadata) =>
        metadata.ToDictionary(static entry => entry.Key.ToLowerInvariant(), static entry => entry.Value, StringComparer.OrdinalIgnoreCase);

    // The package only reads it.
    private static IDictionary<string, string> Writable(IReadOnlyDictionary<string, string> metadata) =>
        metadata as Dictionary<string, string> ?? new Dictionary<string, string>(metadata, StringComparer.Ordinal);

    private async Task<T> OnBlobAsync<T>(string name, Func<BlobClient, Task<T>> operation, CancellationToken cancellationToken)
    {
        var blob = GetBlob(name);
        return await failures.RunAsync(new BlobSubject(Name, name), () => operation(blob), cancellationToken).ConfigureAwait(false);
    }

    private BlobClient GetBlob(string name)
    {
        BlobLimits.CheckName(Name, name);

        // The package normalises addresses: such a blob would be written under another name.
        if (HasDots(name))
        {
            throw new MessagingException(
                FailureKind.Permanent,
                $"blob '{name}' of container '{Name}': the package cannot address names with . or .. between slashes"
            );
        }

        return client.GetBlobClient(name);
    }

    private static bool HasDots(ReadOnlySpan<char> name)
    {
        if (!name.Contains('.'))
        {
            return false;
        }

        foreach (var part in name.Split('/'))
        {
            if (name[part] is "." or "..")
            {
                return true;
            }
        }

        return false;
    }
}
