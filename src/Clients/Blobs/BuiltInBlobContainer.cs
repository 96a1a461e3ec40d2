using System.Buffers;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Text;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>A container over the storage service's REST interface.</summary>
internal sealed class BuiltInBlobContainer(BlobPipeline pipeline, string accountAddress, string name) : IBlobContainer
{
    // Characters that are not encoded in a path. The slash stays, too.
    private static readonly SearchValues<char> Plain = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/");

    private readonly string address = $"{accountAddress}/{Uri.EscapeDataString(name)}";

    public string Name => name;

    public async Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken)
    {
        try
        {
            await pipeline
                .SendAsync(ContainerCall(HttpMethod.Put, ReadOnlyMemory<byte>.Empty), HttpStatusCode.Created, Nothing, cancellationToken)
                .ConfigureAwait(false);
            return true;
        }
        catch (MessagingException exception) when (exception.Condition == "ContainerAlreadyExists")
        {
            return false;
        }
    }

    public async Task<bool> ExistsAsync(CancellationToken cancellationToken)
    {
        try
        {
            await pipeline.SendAsync(ContainerCall(HttpMethod.Head, null), HttpStatusCode.OK, Nothing, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (MessagingException exception) when (exception.Kind == FailureKind.NotFound)
        {
            return false;
        }
    }

    public ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
    {
        BlobLimits.Check(name, upload);
        var call = new BlobCall
        {
            Method = HttpMethod.Put,
            Address = GetAddress(upload.Name),
            Container = name,
            Blob = upload.Name,
            Content = upload.Content,
            ContentType = upload.ContentType ?? BlobCall.Octets,
            IsBlobUpload = true,
            Metadata = upload.Metadata,
            Condition = upload.Condition,
        };
        return pipeline.SendAsync(call, HttpStatusCode.Created, static (answer, _) => ValueTask.FromResult(GetETag(answer)), cancellationToken);
    }

    public Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    )
    {
        BlobLimits.CheckMetadata(Name, name, metadata);
        var call = GetBlobCall(HttpMethod.Put, name, "?comp=metadata") with
        {
            Content = ReadOnlyMemory<byte>.Empty,
            Metadata = metadata,
            Condition = condition,
        };
        return pipeline
            .SendAsync(
                call,
                HttpStatusCode.OK,
                static (answer, attempt) =>
                    ValueTask.FromResult(new BlobProperties(attempt.Call.Blob!, GetETag(answer), GetLastModified(answer), 0, null, attempt.Call.Metadata!)),
                cancellationToken
            )
            .AsTask();
    }

    public async Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            return await pipeline
                .SendAsync(
                    GetBlobCall(HttpMethod.Head, name),
                    HttpStatusCode.OK,
                    static (answer, attempt) => ValueTask.FromResult(GetProperties(attempt.Call.Blob!, answer)),
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
        pipeline.SendAsync(GetBlobCall(HttpMethod.Get, name), HttpStatusCode.OK, ReadContentAsync, cancellationToken).AsTask();

    public async IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var query = "?restype=container&comp=list&include=metadata";
        if (!string.IsNullOrEmpty(prefix))
        {
            query += "&prefix=" + Uri.EscapeDataString(prefix);
        }

        string? marker = null;
        do
        {
            var call = new BlobCall()
            {
                Method = HttpMethod.Get,
                Address = address + query + (marker is null ? string.Empty : "&marker=" + Uri.EscapeDataString(marker)),
                Container = name,
            };
            var page = await pipeline.SendAsync(call, HttpStatusCode.OK, ReadPageAsync, cancellationToken).ConfigureAwait(false);
            foreach (var blob in page.Blobs)
            {
                yield return blob;
            }

            marker = page.NextMarker;
        } while (marker is not null);
    }

    public async Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken)
    {
        try
        {
            var call = GetBlobCall(HttpMethod.Delete, name) with { Condition = condition };
            await pipeline.SendAsync(call, HttpStatusCode.Accepted, Nothing, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (MessagingException exception) when (IsMissingBlob(exception))
        {
            return false;
        }
    }

    private static ValueTask<bool> Nothing(HttpResponseMessage answer, BlobTry attempt) => ValueTask.FromResult(true);

    // Some services omit the error code where an answer may have no body.
    private static bool IsMissingBlob(MessagingException exception) =>
        exception.Kind == FailureKind.NotFound && exception.Condition != BlobFailures.ContainerNotFound;

    private static async ValueTask<ReadOnlyMemory<byte>> ReadContentAsync(HttpResponseMessage answer, BlobTry attempt)
    {
        var length = answer.Content.Headers.ContentLength ?? throw new HttpRequestException("The answer does not say its length.");
        BlobLimits.CheckLength(attempt.Call.Container, attempt.Call.Blob!, length);
        using var limit = attempt.StartReading(answer);
        var content = GC.AllocateUninitializedArray<byte>((int)length);
        var body = await answer.Content.ReadAsStreamAsync(limit.Token).ConfigureAwait(false);
        await using (body.ConfigureAwait(false))
        {
            await body.ReadExactlyAsync(content, limit.Token).ConfigureAwait(false);
        }

        return content;
    }

    private static async ValueTask<BlobListPage> ReadPageAsync(HttpResponseMessage answer, BlobTry attempt)
    {
        // Buffered, so that the parser never waits for the network.
        using var limit = attempt.StartReading(answer);
        await answer.Content.LoadIntoBufferAsync(BlobLimits.LargestBlob, limit.Token).ConfigureAwait(false);
        var body = await answer.Content.ReadAsStreamAsync(limit.Token).ConfigureAwait(false);
        await using (body.ConfigureAwait(false))
        {
            return BlobListPage.Parse(body, attempt.Call.Container);
        }
    }

    private static BlobProperties GetProperties(string blob, HttpResponseMessage answer)
    {
        var metadata = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach ((var header, var value) in answer.Headers.NonValidated)
        {
            if (header.StartsWith(BlobSigner.MetadataPrefix, StringComparison.OrdinalIgnoreCase))
            {
                metadata[header[BlobSigner.MetadataPrefix.Length..].ToLowerInvariant()] = value.ToString();
            }
        }

        var content = answer.Content.Headers;
        var contentType = content.NonValidated.TryGetValues("Content-Type", out var type) ? type.ToString() : null;
        return new BlobProperties(blob, GetETag(answer), GetLastModified(answer), content.ContentLength ?? 0, contentType, metadata);
    }

    private static string GetETag(HttpResponseMessage answer) =>
        answer.Headers.NonValidated.TryGetValues("ETag", out var etag) ? etag.ToString().Trim('"') : throw new HttpRequestException("The answer has no ETag.");

    private static DateTimeOffset GetLastModified(HttpResponseMessage answer) => answer.Content.Headers.LastModified ?? DateTimeOffset.UnixEpoch;

    private BlobCall ContainerCall(HttpMethod method, ReadOnlyMemory<byte>? content) =>
        new()
        {
            Method = method,
            Address = address + "?restype=container",
            Container = name,
            Content = content,
        };

    private BlobCall GetBlobCall(HttpMethod method, string blob, string query = "")
    {
        BlobLimits.CheckName(name, blob);
        return new BlobCall
        {
            Method = method,
            Address = GetAddress(blob) + query,
            Container = name,
            Blob = blob,
        };
    }

    private string GetAddress(string blob)
    {
        if (!blob.AsSpan().ContainsAnyExcept(Plain))
        {
            return string.Concat(address, "/", blob);
        }

        // Slashes stay. Every other special character is encoded.
        var path = new StringBuilder(address, address.Length + blob.Length + 16);
        foreach (var part in blob.AsSpan().Split('/'))
        {
            path.Append('/').Append(Uri.EscapeDataString(blob.AsSpan(part)));
        }

        return path.ToString();
    }
}
