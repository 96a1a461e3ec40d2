using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Get Blob and Get Blob Properties.</summary>
internal sealed class BlobReads(BlobStore store)
{
    public async Task<BlobFailure?> ReadAsync(BlobRequest request)
    {
        if (store.Find(request.Container!, out StoredContainer? container) is { } missing)
        {
            return missing;
        }

        if (BlobConditions.TryRead(request.Headers, out BlobConditions conditions) is { } malformed)
        {
            return malformed;
        }

        if (container!.Find(request.Blob!) is not { } blob)
        {
            return BlobFailure.BlobNotFound;
        }

        if (conditions.CheckRead(blob) is { } unmet)
        {
            return unmet;
        }

        return request.IsHead ? Describe(request.Context.Response, blob) : await SendAsync(request, blob);
    }

    private static BlobFailure? Describe(HttpResponse response, StoredBlob blob)
    {
        BlobAnswer.AddBlobHeaders(response, blob);
        response.ContentLength = blob.Content.Bytes.Length;
        if (blob.Content.Headers.ContentMd5 is { } md5)
        {
            response.Headers.ContentMD5 = md5;
        }

        return null;
    }

    private static async Task<BlobFailure?> SendAsync(BlobRequest request, StoredBlob blob)
    {
        HttpResponse response = request.Context.Response;
        ReadOnlyMemory<byte> bytes = blob.Content.Bytes;
        string? header = request.Header("x-ms-range") ?? request.Header("Range");
        if (!BlobRange.TryRead(header, bytes.Length, out BlobRange? range))
        {
            response.Headers.ContentRange = string.Create(CultureInfo.InvariantCulture, $"bytes */{bytes.Length}");
            return BlobFailure.InvalidRange;
        }

        BlobAnswer.AddBlobHeaders(response, blob);
        if (range is { } part)
        {
            response.StatusCode = StatusCodes.Status206PartialContent;
            response.Headers.ContentRange = string.Create(
                CultureInfo.InvariantCulture, $"bytes {part.Start}-{part.Start + part.Length - 1}/{bytes.Length}");
            bytes = bytes.Slice((int)part.Start, (int)part.Length);
        }
        else if (blob.Content.Headers.ContentMd5 is { } md5)
        {
            response.Headers.ContentMD5 = md5;
        }

        response.ContentLength = bytes.Length;
        await response.Body.WriteAsync(bytes, request.Context.RequestAborted);
        return null;
    }
}
