using System.Globalization;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Put Block, Put Block List and Get Block List.</summary>
internal sealed class BlockOperations(BlobStore store, BodyReader bodies, BlobStoring storing, long blobLimit)
{
    private const long BlockListLimit = 8 * 1024 * 1024;
    private const int BlockIdLimit = 64;

    public async Task<BlobFailure?> PutAsync(BlobRequest request)
    {
        var announced = DeclaredHashes.None;
        var failure = CheckBlock(request, out var container, out var blockId, out var leaseId) ?? DeclaredHashes.TryRead(request, out announced);
        if (failure is not null)
        {
            return failure;
        }

        using var hashes = announced.CreateHashes();
        (failure, var received) = await bodies.ReceiveAsync(request, container!, hashes);
        if (failure is not null)
        {
            return failure;
        }

        using var body = received!;
        return announced.Check(hashes) ?? await KeepAsync(request, container!, blockId, leaseId, body, hashes);
    }

    /// <summary>The common checks of all blocks: container, names of blob and block, and a lease if there is one.</summary>
    public BlobFailure? CheckBlock(BlobRequest request, out StoredContainer? container, out string blockId, out string? leaseId)
    {
        blockId = request.Query("blockid") ?? string.Empty;
        leaseId = null;
        return store.Find(request.Container!, out container) ?? (IsBlockId(blockId) ? null : BlobFailure.InvalidBlockId) ?? request.TryReadLeaseId(out leaseId);
    }

    /// <summary>Stores a received block and answers.</summary>
    public async Task<BlobFailure?> KeepAsync(
        BlobRequest request,
        StoredContainer container,
        string blockId,
        string? leaseId,
        PendingContent body,
        ContentHashes hashes
    )
    {
        if (
            (await storing.DelayBlockAsync(request, body.Length) ?? container.PutBlock(request.Blob!, blockId, body, leaseId, request.Grant.CreateOnly)) is
            { } failure
        )
        {
            return failure;
        }

        BlobAnswer.Empty(request.Response, StatusCodes.Status201Created);
        request.Response.Headers["x-ms-request-server-encrypted"] = "true";
        hashes.AddHeaders(request.Response);
        return null;
    }

    /// <summary>Whether a blob may have this length.</summary>
    public BlobFailure? CheckLength(long length) => length > blobLimit ? BlobFailure.BodyTooLarge : null;

    public async Task<BlobFailure?> CommitAsync(BlobRequest request)
    {
        var announced = DeclaredHashes.None;
        var failure =
            BlobWrites.CheckWrite(request, store, out var container, out var metadata, out var terms) ?? DeclaredHashes.TryRead(request, out announced);
        if (failure is not null)
        {
            return failure;
        }

        // The announced and returned checksum is that of the list, not of the blob.
        using var hashesOfList = announced.CreateHashes();
        (failure, var list) = await ReadListAsync(request, announced, hashesOfList);
        BlobBlock[] blocks = [];
        failure ??= container!.Resolve(request.Blob!, list, out blocks) ?? CheckLength(blocks.Sum(static block => block.Length));
        if (failure is not null)
        {
            return failure;
        }

        BlobContent content = new()
        {
            Name = request.Blob!,
            Blocks = blocks,
            Details = new BlobDetails { Metadata = metadata, Headers = request.StoredHeaders() },
            Layout = BlobContent.GetLayout(request.Blob!),
        };
        if (storing.HasJournal)
        {
            using ContentHashes hashes = new(sha256: true, md5: false, crc64: false);
            hashes.Append(content, new BlobRange(0, content.Length), request.Context.RequestAborted);
            content = content with { Details = content.Details with { Sha256 = hashes.Sha256() } };
        }

        return await storing.StoreAsync(
            request,
            container!,
            content,
            (out StoredBlob? previous, out StoredBlob? stored) => container!.Commit(content, list, terms, out previous, out stored),
            StatusCodes.Status201Created,
            hashesOfList.AddHeaders
        );
    }

    public async Task<BlobFailure?> ListAsync(BlobRequest request)
    {
        var kind = request.Query("blocklisttype")?.ToLowerInvariant() ?? "committed";
        if (kind is not ("committed" or "uncommitted" or "all"))
        {
            return BlobFailure.InvalidQuery("blocklisttype");
        }

        StoredBlob? blob = null;
        BlobBlock[] uncommitted = [];
        var failure =
            store.Find(request.Container!, out var container)
            ?? request.TryReadLeaseId(out _)
            ?? container!.ListBlocks(request.Blob!, out blob, out uncommitted)
            ?? Lease.CheckNamed(blob?.Lease, request.Header("x-ms-lease-id"), container.Now, LeaseWords.Blob);
        if (failure is not null)
        {
            return failure;
        }

        request.Response.Headers["x-ms-blob-content-length"] = (blob?.Content.Length ?? 0).ToString(CultureInfo.InvariantCulture);
        if (blob is not null)
        {
            request.Response.Headers.ETag = blob.QuotedETag;
            request.Response.Headers.LastModified = blob.LastModifiedText;
        }

        await BlobAnswer.XmlAsync(
            request.Response,
            StatusCodes.Status200OK,
            writer =>
                BlockList.Write(
                    writer,
                    kind is "uncommitted" ? null : blob?.Content.Blocks.Where(static block => block.Id is not null) ?? [],
                    kind is "committed" ? null : uncommitted
                ),
            request.Context.RequestAborted
        );
        return null;
    }

    private static bool IsBlockId(string text) => text.Length > 0 && Convert.TryFromBase64String(text, stackalloc byte[BlockIdLimit], out _);

    private async Task<(BlobFailure? Failure, List<BlockReference> List)> ReadListAsync(BlobRequest request, DeclaredHashes announced, ContentHashes hashes)
    {
        (var failure, var body) = await bodies.ReadWholeAsync(request.Context.Request, BlockListLimit, request.Context.RequestAborted);
        if (failure is not null)
        {
            return (failure, []);
        }

        try
        {
            hashes.Append(body);
            List<BlockReference> list = [];
            failure = announced.Check(hashes) ?? BlockList.TryRead(body, out list);
            return (failure, list);
        }
        finally
        {
            bodies.Release(body.Length);
        }
    }
}
