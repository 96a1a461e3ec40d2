using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Storage;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Reads the next bytes of content. Returns 0 at its end.</summary>
internal delegate ValueTask<int> ContentSource(Memory<byte> into, CancellationToken cancellationToken);

/// <summary>Receives content in steps. Memory is reserved for bytes that have arrived, not for an announced length.</summary>
internal sealed class BodyReader(MemoryBudget budget, long limit)
{
    private const int FirstStep = 64 * 1024;

    public long Limit => limit;

    /// <summary>The announced length of a body. Null when it is chunked.</summary>
    public static BlobFailure? TryLength(HttpRequest request, long limit, out long? length)
    {
        length = request.ContentLength;
        if (length > limit)
        {
            return BlobFailure.BodyTooLarge;
        }

        return length is null && request.Headers.TransferEncoding.Count == 0 ? BlobFailure.MissingContentLength : null;
    }

    /// <summary>Receives the body of a request as content of a container. On success the caller owns the content.</summary>
    public async Task<(BlobFailure? Failure, PendingContent? Content)> ReceiveAsync(BlobRequest request, StoredContainer container, ContentHashes hashes)
    {
        if (StructuredTransfer.TryReadUpload(request, out var contentLength) is { } refused)
        {
            return (refused, null);
        }

        if (contentLength is { } announced)
        {
            return await ReceiveStructuredAsync(request, announced, container, hashes);
        }

        var http = request.Context.Request;
        return TryLength(http, limit, out var length) is { } failure
            ? (failure, null)
            : await TakeAsync(http.Body.ReadAsync, length, container, hashes, mayTravelWithRecord: true, request.Context.RequestAborted);
    }

    /// <summary>Reads content from any source.</summary>
    /// <param name="source">The source.</param>
    /// <param name="length">Its length, if known.</param>
    /// <param name="container">The target container.</param>
    /// <param name="hashes">The hashes to update.</param>
    /// <param name="mayTravelWithRecord">Whether small content may be stored inside the record that refers to it.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    public async Task<(BlobFailure? Failure, PendingContent? Content)> TakeAsync(
        ContentSource source,
        long? length,
        StoredContainer container,
        ContentHashes hashes,
        bool mayTravelWithRecord,
        CancellationToken cancellationToken
    )
    {
        PendingContent content = new(container, budget);
        var handedOver = false;
        try
        {
            var failure = await FillAsync(source, length, content, hashes, mayTravelWithRecord, cancellationToken);
            handedOver = failure is null;
            return (failure, handedOver ? content : null);
        }
        finally
        {
            if (!handedOver)
            {
                content.Dispose();
            }
        }
    }

    /// <summary>Receives a whole small body. Its length stays reserved until <see cref="Release"/>.</summary>
    public async Task<(BlobFailure? Failure, byte[] Bytes)> ReadWholeAsync(HttpRequest request, long largest, CancellationToken cancellationToken)
    {
        if (TryLength(request, Math.Min(limit, largest), out var length) is { } failure)
        {
            return (failure, []);
        }

        byte[] bytes = [];
        var filled = 0;
        var complete = false;
        try
        {
            while (filled < (length ?? largest + 1))
            {
                if (filled == bytes.Length)
                {
                    var size = (int)Math.Min(length ?? largest + 1, Math.Max(FirstStep, bytes.Length * 2L));
                    if (!budget.TryReserve(size - bytes.Length))
                    {
                        return (BlobFailure.ServerBusy, []);
                    }

                    Array.Resize(ref bytes, size);
                }

                var read = await request.Body.ReadAsync(bytes.AsMemory(filled), cancellationToken);
                if (read == 0)
                {
                    break;
                }

                filled += read;
            }

            if (filled > largest)
            {
                return (BlobFailure.BodyTooLarge, []);
            }

            CheckEnd(filled, length);
            budget.Release(bytes.Length - filled);
            Array.Resize(ref bytes, filled);
            complete = true;
            return (null, bytes);
        }
        finally
        {
            if (!complete)
            {
                budget.Release(bytes.Length);
            }
        }
    }

    public void Release(long bytes) => budget.Release(bytes);

    // The limit is for the content. The answer repeats the format, which confirms to the client that the frame was not stored.
    private async Task<(BlobFailure? Failure, PendingContent? Content)> ReceiveStructuredAsync(
        BlobRequest request,
        long contentLength,
        StoredContainer container,
        ContentHashes hashes
    )
    {
        if (contentLength > limit)
        {
            return (BlobFailure.BodyTooLarge, null);
        }

        var http = request.Context.Request;
        if (TryLength(http, contentLength + StructuredBodyFormat.MostOverhead, out var length) is { } refused)
        {
            return (refused, null);
        }

        StructuredBodyDecoder decoder = new(http.Body.ReadAsync, length, contentLength);
        PendingContent? content = null;
        var handedOver = false;
        try
        {
            var aborted = request.Context.RequestAborted;
            (var failure, content) = await TakeAsync(decoder.ReadAsync, contentLength, container, hashes, mayTravelWithRecord: true, aborted);
            if (failure is not null)
            {
                return (failure, null);
            }

            await decoder.CompleteAsync(aborted);
            request.Response.Headers[StructuredBodyFormat.Header] = StructuredBodyFormat.Kind;
            handedOver = true;
            return (null, content);
        }
        catch (StructuredBodyException damaged)
        {
            return (damaged.Failure, null);
        }
        finally
        {
            if (!handedOver)
            {
                content?.Dispose();
            }
        }
    }

    private async Task<BlobFailure?> FillAsync(
        ContentSource source,
        long? length,
        PendingContent content,
        ContentHashes hashes,
        bool mayTravelWithRecord,
        CancellationToken cancellationToken
    )
    {
        byte[] buffer = [];
        var filled = 0;
        long total = 0;
        while (true)
        {
            var isFull = filled == buffer.Length;
            if (isFull && total < (length ?? long.MaxValue))
            {
                if (filled > 0 && content.Add(buffer, filled, isAll: false) is { } refused)
                {
                    return refused;
                }

                var size = (int)
                    Math.Min((length ?? long.MaxValue) - total, buffer.Length == 0 ? FirstStep : Math.Min(2L * buffer.Length, ContentPiece.LargestLength));
                if (!content.TryReserve(size))
                {
                    return BlobFailure.ServerBusy;
                }

                buffer = GC.AllocateUninitializedArray<byte>(size);
                filled = 0;
            }

            var read = filled == buffer.Length ? 0 : await source(buffer.AsMemory(filled), cancellationToken);
            if (read == 0)
            {
                CheckEnd(total, length);
                var isAll = mayTravelWithRecord && total == filled && filled <= FirstStep;
                return filled > 0 ? content.Add(buffer, filled, isAll) : null;
            }

            hashes.Append(buffer.AsSpan(filled, read));
            filled += read;
            total += read;
            if (total > limit)
            {
                return BlobFailure.BodyTooLarge;
            }
        }
    }

    private static void CheckEnd(long received, long? announced)
    {
        if (announced is { } length && received < length)
        {
            throw new BadHttpRequestException("The body ends before its announced length.");
        }
    }
}
