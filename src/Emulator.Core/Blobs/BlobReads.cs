using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Get Blob, Get Blob Properties and Get Blob Metadata.</summary>
internal sealed class BlobReads(BlobStore store)
{
    private const int Step = 64 * 1024;

    // The service computes checksums of ranges up to this length.
    private const long LargestHashedRange = 4 * 1024 * 1024;

    public async Task<BlobFailure?> ReadAsync(BlobRequest request)
    {
        if (Find(request, out var blob, out var now) is { } failure)
        {
            return failure;
        }

        if (!request.IsHead)
        {
            return await SendAsync(request, blob!, now);
        }

        BlobAnswer.AddBlobHeaders(request, blob!, now);
        request.Response.Headers["x-ms-access-tier"] = BlobAnswer.AccessTier;
        request.Response.Headers["x-ms-access-tier-inferred"] = "true";
        request.Response.ContentLength = blob!.Content.Length;
        request.Response.Headers.ContentMD5 = blob.Content.Headers.ContentMd5;
        return null;
    }

    /// <summary>Answers GET and HEAD with the metadata in headers.</summary>
    public BlobFailure? ReadMetadata(BlobRequest request)
    {
        if (Find(request, out var blob, out _) is { } failure)
        {
            return failure;
        }

        BlobAnswer.Empty(request.Response, StatusCodes.Status200OK);
        request.Response.Headers.ETag = blob!.QuotedETag;
        request.Response.Headers.LastModified = blob.LastModifiedText;
        BlobAnswer.AddMetadata(request.Response.Headers, blob.Content.Metadata);
        return null;
    }

    private BlobFailure? Find(BlobRequest request, out StoredBlob? blob, out DateTimeOffset now)
    {
        blob = null;
        now = default;
        BlobConditions conditions = default;
        var failure =
            store.Find(request.Container!, out var container)
            ?? BlobConditions.TryReadForRead(request.Headers, out conditions)
            ?? request.TryReadLeaseId(out _);
        if (failure is not null)
        {
            return failure;
        }

        now = container!.Now;
        blob = container.Find(request.Blob!);
        return blob is null
            ? BlobFailure.BlobNotFound
            : conditions.CheckRead(blob) ?? Lease.CheckNamed(blob.Lease, request.Header("x-ms-lease-id"), now, LeaseWords.Blob);
    }

    private static async Task<BlobFailure?> SendAsync(BlobRequest request, StoredBlob blob, DateTimeOffset now)
    {
        var response = request.Response;
        var total = blob.Content.Length;
        if (!BlobRange.TryRead(request.Header("x-ms-range") ?? request.Header("Range"), total, out var range))
        {
            response.Headers.ContentRange = string.Create(CultureInfo.InvariantCulture, $"bytes */{total}");
            return BlobFailure.InvalidRange;
        }

        if ((StructuredTransfer.TryReadRead(request, out var isFramed) ?? CheckHashes(request, range)) is { } refused)
        {
            return refused;
        }

        BlobAnswer.AddBlobHeaders(request, blob, now);
        if (range is { } part)
        {
            response.StatusCode = StatusCodes.Status206PartialContent;
            response.Headers.ContentRange = string.Create(CultureInfo.InvariantCulture, $"bytes {part.Start}-{part.Start + part.Length - 1}/{total}");
            response.Headers["x-ms-blob-content-md5"] = blob.Content.Headers.ContentMd5;
            AddHashes(request, blob.Content, part);
        }
        else
        {
            // The MD5 of the content, which is only a part of a framed body.
            response.Headers[isFramed ? "x-ms-blob-content-md5" : "Content-MD5"] = blob.Content.Headers.ContentMd5;
        }

        var sent = range ?? new BlobRange(0, total);
        if (isFramed)
        {
            await SendFramedAsync(response, blob.Content, sent, request.Context.RequestAborted);
        }
        else
        {
            response.ContentLength = sent.Length;
            await SendAsync(response, blob.Content, sent, request.Context.RequestAborted);
        }

        return null;
    }

    private static async Task SendFramedAsync(HttpResponse response, BlobContent content, BlobRange range, CancellationToken cancellationToken)
    {
        StructuredBodyEncoder encoder = new(ContentStream.Of(content, range), range.Length);
        response.ContentLength = encoder.Length;
        response.Headers[StructuredBodyFormat.Header] = StructuredBodyFormat.Kind;
        response.Headers[StructuredBodyFormat.LengthHeader] = range.Length.ToString(CultureInfo.InvariantCulture);
        while (await encoder.ReadAsync(response.BodyWriter.GetMemory(Step)[..Step], cancellationToken) is > 0 and var length)
        {
            response.BodyWriter.Advance(length);
            if ((await response.BodyWriter.FlushAsync(cancellationToken)).IsCompleted)
            {
                // The peer has disconnected. The rest is not read.
                return;
            }
        }
    }

    // Content in memory is sent directly. Content on the disk is read in steps into the answer.
    private static async Task SendAsync(HttpResponse response, BlobContent content, BlobRange range, CancellationToken cancellationToken)
    {
        foreach (var run in content.Runs(range))
        {
            if (run.Piece.Memory is { } bytes)
            {
                await response.Body.WriteAsync(bytes.AsMemory(run.From, run.Length), cancellationToken);
                continue;
            }

            for (var done = 0; done < run.Length; )
            {
                var length = Math.Min(Step, run.Length - done);
                var step = response.BodyWriter.GetMemory(length)[..length];
                run.Piece.CopyTo(run.From + done, step.Span);
                response.BodyWriter.Advance(length);
                if ((await response.BodyWriter.FlushAsync(cancellationToken)).IsCompleted)
                {
                    // The peer has disconnected. The rest is not read.
                    return;
                }

                done += length;
            }
        }
    }

    private static BlobFailure? CheckHashes(BlobRequest request, BlobRange? range)
    {
        var md5 = IsTrue(request, "x-ms-range-get-content-md5");
        var crc64 = IsTrue(request, "x-ms-range-get-content-crc64");
        if (!md5 && !crc64)
        {
            return null;
        }

        if (md5 && crc64)
        {
            return BlobFailure.BothHashesOfRange;
        }

        return range is { Length: <= LargestHashedRange }
            ? null
            : BlobFailure.InvalidHeader(md5 ? "x-ms-range-get-content-md5" : "x-ms-range-get-content-crc64");
    }

    private static void AddHashes(BlobRequest request, BlobContent content, BlobRange range)
    {
        var md5 = IsTrue(request, "x-ms-range-get-content-md5");
        var crc64 = IsTrue(request, "x-ms-range-get-content-crc64");
        if (md5 || crc64)
        {
            using ContentHashes hashes = new(sha256: false, md5, crc64);
            hashes.Append(content, range, request.Context.RequestAborted);
            hashes.AddHeaders(request.Response);
        }
    }

    private static bool IsTrue(BlobRequest request, string header) => string.Equals(request.Header(header), "true", StringComparison.OrdinalIgnoreCase);
}
