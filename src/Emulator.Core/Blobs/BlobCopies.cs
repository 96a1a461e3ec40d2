using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Copy Blob, Put Blob From URL and Put Block From URL, all from blobs of this account. The request itself copies the content, so a copy is never pending.
/// </summary>
internal sealed class BlobCopies(BlobStore store, CopySource sources, BodyReader bodies, BlobStoring storing, BlockOperations blocks)
{
    /// <summary>Copies a whole blob: content with its blocks, standard headers, and metadata unless the request has its own metadata.</summary>
    public async Task<BlobFailure?> CopyAsync(BlobRequest request)
    {
        // A synchronous copy may state a checksum to check, and returns the computed one.
        var isAwaited = string.Equals(request.Header("x-ms-requires-sync"), "true", StringComparison.OrdinalIgnoreCase);
        var announced = DeclaredHashes.None;
        var failure =
            BlobWrites.CheckWrite(request, store, out var container, out var metadata, out var terms)
            ?? (isAwaited ? DeclaredHashes.TryReadOfSource(request, out announced) : null);
        StoredBlob? source = null;
        var shown = string.Empty;
        failure ??= sources.Find(request, out source, out shown);
        if (failure is not null)
        {
            return failure;
        }

        BlobCopy copy = new(Guid.NewGuid().ToString(), shown, container!.Now);
        using var hashes = isAwaited ? announced.CreateHashes(storing.HasJournal) : new ContentHashes(storing.HasJournal, md5: false, crc64: false);
        return await TakeAsync(
            request,
            container,
            terms,
            source!,
            announced,
            hashes,
            details => details with { Metadata = metadata.Count > 0 ? metadata : details.Metadata, Copy = copy },
            StatusCodes.Status202Accepted,
            response =>
            {
                response.Headers["x-ms-copy-id"] = copy.Id;
                response.Headers["x-ms-copy-status"] = "success";
                hashes.AddHeaders(response);
            }
        );
    }

    /// <summary>Creates a blob from the content of another blob, as if it had been uploaded.</summary>
    public async Task<BlobFailure?> PutAsync(BlobRequest request)
    {
        var failure = BlobWrites.CheckWrite(request, store, out var container, out var metadata, out var terms) ?? BlobWrites.CheckType(request);
        var announced = DeclaredHashes.None;
        failure ??= DeclaredHashes.TryReadOfSource(request, out announced);
        StoredBlob? source = null;
        failure ??= sources.Find(request, out source, out _);
        if (failure is not null)
        {
            return failure;
        }

        var keepsHeaders = !string.Equals(request.Header("x-ms-copy-source-blob-properties"), "false", StringComparison.OrdinalIgnoreCase);
        var stored = source!.Content.Headers;
        var asked = request.StoredHeaders(keepsHeaders ? stored.ContentType : null);
        var headers = keepsHeaders
            ? asked with
            {
                ContentEncoding = asked.ContentEncoding ?? stored.ContentEncoding,
                ContentLanguage = asked.ContentLanguage ?? stored.ContentLanguage,
                CacheControl = asked.CacheControl ?? stored.CacheControl,
                ContentDisposition = asked.ContentDisposition ?? stored.ContentDisposition,
            }
            : asked;
        using ContentHashes hashes = new(storing.HasJournal, md5: true, crc64: true);
        return await TakeAsync(
            request,
            container!,
            terms,
            source,
            announced,
            hashes,
            details => details with { Metadata = metadata, Headers = headers with { ContentMd5 = asked.ContentMd5 ?? hashes.Md5() } },
            StatusCodes.Status201Created,
            hashes.AddHeaders
        );
    }

    /// <summary>Creates a block from a part of a blob.</summary>
    public async Task<BlobFailure?> PutBlockAsync(BlobRequest request)
    {
        var announced = DeclaredHashes.None;
        var failure = blocks.CheckBlock(request, out var container, out var blockId, out var leaseId) ?? DeclaredHashes.TryReadOfSource(request, out announced);
        StoredBlob? source = null;
        failure ??= sources.Find(request, out source, out _);
        BlobRange? range = null;
        if (failure is null && !BlobRange.TryRead(request.Header("x-ms-source-range"), source!.Content.Length, out range))
        {
            failure = BlobFailure.InvalidRange;
        }

        if (failure is not null)
        {
            return failure;
        }

        var part = range ?? new BlobRange(0, source!.Content.Length);
        using var hashes = announced.CreateHashes();
        (failure, var taken) = await bodies.TakeAsync(
            ContentStream.Of(source!.Content, part),
            part.Length,
            container!,
            hashes,
            mayTravelWithRecord: true,
            request.Context.RequestAborted
        );
        if (failure is not null)
        {
            return failure;
        }

        using var body = taken!;
        return announced.Check(hashes) ?? await blocks.KeepAsync(request, container!, blockId, leaseId, body, hashes);
    }

    private async Task<BlobFailure?> TakeAsync(
        BlobRequest request,
        StoredContainer container,
        WriteTerms terms,
        StoredBlob source,
        DeclaredHashes announced,
        ContentHashes hashes,
        Func<BlobDetails, BlobDetails> complete,
        int status,
        Action<HttpResponse> describe
    )
    {
        if (blocks.CheckLength(source.Content.Length) is { } tooLong)
        {
            return tooLong;
        }

        List<PendingContent> taken = [];
        try
        {
            if ((await TakeBlocksAsync(request, container, source.Content, hashes, taken) ?? announced.Check(hashes)) is { } failure)
            {
                return failure;
            }

            BlobContent content = new()
            {
                Name = request.Blob!,
                Blocks = [.. taken.Select((block, index) => block.ToBlock(source.Content.Blocks[index].Id))],
                Details = complete(source.Content.Details with { Sha256 = hashes.Sha256(), Copy = null }),
                Layout = BlobContent.GetLayout(request.Blob!),
            };
            return await storing.StoreAsync(
                request,
                container,
                content,
                (out StoredBlob? previous, out StoredBlob? stored) => OfTarget(container.Put(content, taken, terms, out previous, out stored)),
                status,
                describe
            );
        }
        finally
        {
            taken.ForEach(static content => content.Dispose());
        }
    }

    // With two blobs involved, the error code names the one that failed.
    private static BlobFailure? OfTarget(BlobFailure? failure) => failure == BlobFailure.ConditionNotMet ? BlobFailure.TargetConditionNotMet : failure;

    private async Task<BlobFailure?> TakeBlocksAsync(
        BlobRequest request,
        StoredContainer container,
        BlobContent source,
        ContentHashes hashes,
        List<PendingContent> taken
    )
    {
        var all = ContentStream.Of(source, new BlobRange(0, source.Length));
        foreach (var block in source.Blocks)
        {
            (var failure, var content) = await bodies.TakeAsync(
                all,
                block.Length,
                container,
                hashes,
                mayTravelWithRecord: source.Blocks.Count == 1,
                request.Context.RequestAborted
            );
            if (failure is not null)
            {
                return failure;
            }

            taken.Add(content!);
        }

        return null;
    }
}
