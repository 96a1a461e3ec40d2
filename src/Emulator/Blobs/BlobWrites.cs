using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Laboratory;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Put Blob, Put Block, Put Block List, Set Blob Metadata and Delete Blob. A request that was received whole is carried out
/// even when its sender has gone: only <paramref name="stopping"/> ends the wait between begin and stored.
/// </summary>
internal sealed class BlobWrites(BlobStore store, BodyReader bodies, BlobJournal journal, ILatency latency, CancellationToken stopping)
{
    private const long BlockListLimit = 8 * 1024 * 1024;
    private const int BlockIdLimit = 64;

    public async Task<BlobFailure?> PutBlobAsync(BlobRequest request)
    {
        if (CheckPut(request, out StoredContainer? container, out Dictionary<string, string> metadata, out BlobConditions conditions) is { } refused)
        {
            return refused;
        }

        (BlobFailure? failure, byte[] bytes) = await bodies.ReadAsync(request.Context.Request, request.Context.RequestAborted);
        if (failure is not null)
        {
            return failure;
        }

        if (IsDamaged(request, bytes))
        {
            bodies.Release(bytes.Length);
            return BlobFailure.Md5Mismatch;
        }

        return await StoreAsync(request, container!, Content(request, bytes, metadata, []), conditions);
    }

    public async Task<BlobFailure?> PutBlockAsync(BlobRequest request)
    {
        if (store.Find(request.Container!, out StoredContainer? container) is { } missing)
        {
            return missing;
        }

        byte[] identifier = new byte[BlockIdLimit];
        if (request.Query("blockid") is not { Length: > 0 } blockId || !Convert.TryFromBase64String(blockId, identifier, out _))
        {
            return BlobFailure.InvalidBlockId;
        }

        (BlobFailure? failure, byte[] bytes) = await bodies.ReadAsync(request.Context.Request, request.Context.RequestAborted);
        if (failure is not null)
        {
            return failure;
        }

        failure = IsDamaged(request, bytes) ? BlobFailure.Md5Mismatch : null;
        if (failure is null)
        {
            await latency.ApplyAsync(EmulatedOperation.BlobWrite, stopping);
            failure = container!.PutBlock(request.Blob!, blockId, bytes);
        }

        if (failure is not null)
        {
            bodies.Release(bytes.Length);
            return failure;
        }

        BlobAnswer.Empty(request.Context.Response, StatusCodes.Status201Created);
        request.Context.Response.Headers["x-ms-request-server-encrypted"] = "true";
        return null;
    }

    public async Task<BlobFailure?> PutBlockListAsync(BlobRequest request)
    {
        if (CheckWrite(request, out StoredContainer? container, out Dictionary<string, string> metadata, out BlobConditions conditions) is { } refused)
        {
            return refused;
        }

        if (request.Context.Request.ContentLength > BlockListLimit)
        {
            return BlobFailure.BodyTooLarge;
        }

        (BlobFailure? failure, byte[] body) = await bodies.ReadAsync(request.Context.Request, request.Context.RequestAborted);
        if (failure is not null)
        {
            return failure;
        }

        failure = IsDamaged(request, body) ? BlobFailure.Md5Mismatch : null;
        List<BlockReference> list = [];
        failure ??= BlockList.TryRead(body, out list);
        bodies.Release(body.Length);
        if (failure is not null)
        {
            return failure;
        }

        failure = container!.Assemble(request.Blob!, list, bodies.Limit, out byte[] bytes, out CommittedBlock[] blocks);
        return failure ?? await StoreAsync(request, container, Content(request, bytes, metadata, blocks), conditions);
    }

    public async Task<BlobFailure?> SetMetadataAsync(BlobRequest request)
    {
        if (CheckWrite(request, out StoredContainer? container, out Dictionary<string, string> metadata, out BlobConditions conditions) is { } refused)
        {
            return refused;
        }

        if (LayoutOf(request.Blob!) is { Kind: CheckpointBlobKind.Checkpoint })
        {
            await latency.ApplyAsync(EmulatedOperation.CheckpointWrite, stopping);
        }

        if (container!.SetMetadata(request.Blob!, metadata, conditions, out StoredBlob? previous, out StoredBlob? stored) is { } failure)
        {
            return failure;
        }

        BlobAnswer.Written(request.Context.Response, StatusCodes.Status200OK, stored!);
        await CompleteAsync(request, container, previous, stored!);
        return null;
    }

    public BlobFailure? Delete(BlobRequest request)
    {
        if (store.Find(request.Container!, out StoredContainer? container) is { } missing)
        {
            return missing;
        }

        BlobFailure? failure = BlobConditions.TryRead(request.Headers, out BlobConditions conditions)
            ?? container!.Delete(request.Blob!, conditions);
        if (failure is null)
        {
            BlobAnswer.Empty(request.Context.Response, StatusCodes.Status202Accepted);
            request.Context.Response.Headers["x-ms-delete-type-permanent"] = "true";
        }

        return failure;
    }

    private async Task<BlobFailure?> StoreAsync(BlobRequest request, StoredContainer container, BlobContent content, BlobConditions conditions)
    {
        StoredBlob? previous = null;
        StoredBlob? stored = null;
        try
        {
            journal.Begun(container.Name, content);
            switch (content.Layout?.Kind)
            {
                case null:
                    await latency.ApplyAsync(EmulatedOperation.BlobWrite, stopping);
                    break;
                case CheckpointBlobKind.Checkpoint:
                    await latency.ApplyAsync(EmulatedOperation.CheckpointWrite, stopping);
                    break;
                default:
                    break;
            }

            if (container.Put(content, conditions, out previous, out stored) is { } failure)
            {
                return failure;
            }
        }
        finally
        {
            if (stored is null)
            {
                bodies.Release(content.Bytes.Length);
            }
        }

        BlobAnswer.Written(request.Context.Response, StatusCodes.Status201Created, stored!);
        await CompleteAsync(request, container, previous, stored!);
        return null;
    }

    private async Task CompleteAsync(BlobRequest request, StoredContainer container, StoredBlob? previous, StoredBlob stored)
    {
        await request.Context.Response.CompleteAsync();
        journal.Answered(container.Name, previous, stored);
    }

    private BlobFailure? CheckPut(
        BlobRequest request, out StoredContainer? container, out Dictionary<string, string> metadata, out BlobConditions conditions)
    {
        BlobFailure? failure = CheckWrite(request, out container, out metadata, out conditions);
        if (failure is not null)
        {
            return failure;
        }

        if (request.Header("x-ms-copy-source") is not null)
        {
            return BlobFailure.NotImplemented;
        }

        return request.Header("x-ms-blob-type") switch
        {
            null => BlobFailure.MissingHeader("x-ms-blob-type"),
            "BlockBlob" => null,
            _ => BlobFailure.InvalidHeader("x-ms-blob-type"),
        };
    }

    private BlobFailure? CheckWrite(
        BlobRequest request, out StoredContainer? container, out Dictionary<string, string> metadata, out BlobConditions conditions)
    {
        metadata = [];
        conditions = default;
        return store.Find(request.Container!, out container)
            ?? (BlobNames.IsBlob(request.Blob!) ? null : BlobFailure.InvalidResourceName)
            ?? request.TryReadMetadata(out metadata)
            ?? BlobConditions.TryRead(request.Headers, out conditions);
    }

    private BlobContent Content(BlobRequest request, byte[] bytes, Dictionary<string, string> metadata, CommittedBlock[] blocks) =>
        new()
        {
            Name = request.Blob!,
            Bytes = bytes,
            Blocks = blocks,
            Metadata = metadata,
            Headers = new BlobHttpHeaders(
                Printable(request, "x-ms-blob-content-type") ?? (blocks.Length > 0 ? null : Printable(request, "Content-Type")) ?? "application/octet-stream",
                Printable(request, "x-ms-blob-content-encoding"),
                Printable(request, "x-ms-blob-content-language"),
                Printable(request, "x-ms-blob-content-md5"),
                Printable(request, "x-ms-blob-cache-control"),
                Printable(request, "x-ms-blob-content-disposition")),
            Sha256 = journal.Hash(bytes),
            Layout = LayoutOf(request.Blob!),
        };

    // A value that could not be sent back is not kept.
    private static string? Printable(BlobRequest request, string name) =>
        request.Header(name) is { Length: > 0 } value && BlobNames.IsPrintable(value) ? value : null;

    private static CheckpointBlobParts? LayoutOf(string name) => CheckpointBlobName.TryParse(name, out CheckpointBlobParts? parts) ? parts : null;

    [SuppressMessage("Security", "CA5351:Do Not Use Broken Cryptographic Algorithms", Justification = "The protocol's checksum of the transfer; it guards nothing.")]
    private static bool IsDamaged(BlobRequest request, byte[] bytes) =>
        request.Header("Content-MD5") is { Length: > 0 } announced && announced != Convert.ToBase64String(MD5.HashData(bytes));
}
