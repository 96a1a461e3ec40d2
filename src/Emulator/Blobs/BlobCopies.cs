using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Copy Blob, Put Blob From URL and Put Block From URL, all from blobs of this account. Content is copied when it is asked
/// for, so that a copy is never pending.
/// </summary>
internal sealed class BlobCopies(BlobStore store, CopySource sources, BodyReader bodies, BlobStoring storing, BlockOperations blocks)
{
    /// <summary>Copies all of a blob: content with its blocks, standard headers, and metadata unless the request brings its own.</summary>
    public async Task<BlobFailure?> CopyAsync(BlobRequest request)
    {
        BlobFailure? failure = BlobWrites.CheckWrite(
            request,
            store,
            out StoredContainer? container,
            out Dictionary<string, string> metadata,
            out WriteTerms terms
        );
        StoredBlob? source = null;
        string shown = string.Empty;
        failure ??= sources.Find(request, out source, out shown);
        if (failure is not null)
        {
            return failure;
        }

        BlobCopy copy = new(Guid.NewGuid().ToString(), shown, container!.Now);
        return await TakeAsync(
            request,
            container,
            terms,
            source!,
            content => content with { Metadata = metadata.Count > 0 ? metadata : source!.Content.Metadata, Headers = source!.Content.Headers, Copy = copy },
            StatusCodes.Status202Accepted,
            response =>
            {
                response.Headers["x-ms-copy-id"] = copy.Id;
                response.Headers["x-ms-copy-status"] = "success";
            }
        );
    }

    /// <summary>Makes a blob of another's content, as if it had been uploaded.</summary>
    public async Task<BlobFailure?> PutAsync(BlobRequest request)
    {
        BlobFailure? failure =
            BlobWrites.CheckWrite(request, store, out StoredContainer? container, out Dictionary<string, string> metadata, out WriteTerms terms)
            ?? BlobWrites.CheckType(request);
        StoredBlob? source = null;
        failure ??= sources.Find(request, out source, out _);
        if (failure is not null)
        {
            return failure;
        }

        bool keepsHeaders = !string.Equals(request.Header("x-ms-copy-source-blob-properties"), "false", StringComparison.OrdinalIgnoreCase);
        BlobHttpHeaders stored = source!.Content.Headers;
        BlobHttpHeaders asked = request.StoredHeaders(keepsHeaders ? stored.ContentType : null);
        BlobHttpHeaders headers = keepsHeaders
            ? asked with
            {
                ContentEncoding = asked.ContentEncoding ?? stored.ContentEncoding,
                ContentLanguage = asked.ContentLanguage ?? stored.ContentLanguage,
                CacheControl = asked.CacheControl ?? stored.CacheControl,
                ContentDisposition = asked.ContentDisposition ?? stored.ContentDisposition,
            }
            : asked;
        return await TakeAsync(
            request,
            container!,
            terms,
            source,
            content => content with { Metadata = metadata, Headers = headers with { ContentMd5 = asked.ContentMd5 ?? stored.ContentMd5 } },
            StatusCodes.Status201Created,
            static _ => { }
        );
    }

    /// <summary>Makes a block of a part of a blob.</summary>
    public async Task<BlobFailure?> PutBlockAsync(BlobRequest request)
    {
        BlobFailure? failure = blocks.CheckBlock(request, out StoredContainer? container, out string blockId, out string? leaseId);
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

        BlobRange part = range ?? new BlobRange(0, source!.Content.Length);
        using ContentHashes hashes = TransferChecks.HashesFor(request, journal: false, always: false);
        (failure, LooseContent? taken) = await bodies.TakeAsync(
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

        using LooseContent body = taken!;
        return await blocks.KeepAsync(request, container!, blockId, leaseId, body, hashes);
    }

    private async Task<BlobFailure?> TakeAsync(
        BlobRequest request,
        StoredContainer container,
        WriteTerms terms,
        StoredBlob source,
        Func<BlobContent, BlobContent> complete,
        int status,
        Action<HttpResponse> describe
    )
    {
        if (blocks.CheckLength(source.Content.Length) is { } tooLong)
        {
            return tooLong;
        }

        List<LooseContent> taken = [];
        try
        {
            using ContentHashes hashes = new(sha256: storing.HasJournal, md5: false, crc64: false);
            if (await TakeBlocksAsync(request, container, source.Content, hashes, taken) is { } failure)
            {
                return failure;
            }

            BlobContent content = complete(
                new BlobContent
                {
                    Name = request.Blob!,
                    Blocks = [.. taken.Select((block, index) => block.ToBlock(source.Content.Blocks[index].Id))],
                    Headers = source.Content.Headers,
                    Metadata = source.Content.Metadata,
                    Sha256 = hashes.Sha256(),
                    Layout = BlobContent.LayoutOf(request.Blob!),
                }
            );
            return await storing.StoreAsync(
                request,
                container,
                content,
                (out StoredBlob? previous, out StoredBlob? stored) => container.Put(content, taken, terms, out previous, out stored),
                status,
                describe
            );
        }
        finally
        {
            taken.ForEach(static content => content.Dispose());
        }
    }

    private async Task<BlobFailure?> TakeBlocksAsync(
        BlobRequest request,
        StoredContainer container,
        BlobContent source,
        ContentHashes hashes,
        List<LooseContent> taken
    )
    {
        ContentSource all = ContentStream.Of(source, new BlobRange(0, source.Length));
        foreach (BlobBlock block in source.Blocks)
        {
            (BlobFailure? failure, LooseContent? content) = await bodies.TakeAsync(
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
