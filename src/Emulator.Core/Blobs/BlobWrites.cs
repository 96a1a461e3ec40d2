using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Put Blob, Set Blob Metadata, Set Blob Properties and Delete Blob.</summary>
internal sealed class BlobWrites(BlobStore store, BodyReader bodies, BlobStoring storing)
{
    public async Task<BlobFailure?> PutAsync(BlobRequest request)
    {
        var announced = DeclaredHashes.None;
        var failure =
            CheckWrite(request, store, out var container, out var metadata, out var terms)
            ?? CheckType(request)
            ?? DeclaredHashes.TryReadOfBlob(request, out announced);
        if (failure is not null)
        {
            return failure;
        }

        using ContentHashes hashes = new(storing.HasJournal, md5: true, crc64: true);
        (failure, var received) = await bodies.ReceiveAsync(request, container!, hashes);
        if (failure is not null)
        {
            return failure;
        }

        using var body = received!;
        var headers = request.StoredHeaders(request.StoredHeader("Content-Type"));
        failure = announced.Check(hashes);
        if (failure is not null)
        {
            return failure;
        }

        BlobContent content = new()
        {
            Name = request.Blob!,
            Blocks = [body.ToBlock(id: null)],
            Details = new BlobDetails
            {
                Metadata = metadata,
                Headers = headers with { ContentMd5 = hashes.Md5() },
                Sha256 = hashes.Sha256(),
            },
            Layout = BlobContent.GetLayout(request.Blob!),
        };
        return await storing.StoreAsync(
            request,
            container!,
            content,
            (out StoredBlob? previous, out StoredBlob? stored) => container!.Put(content, [body], terms, out previous, out stored),
            StatusCodes.Status201Created,
            hashes.AddHeaders
        );
    }

    public async Task<BlobFailure?> SetMetadataAsync(BlobRequest request) =>
        CheckWrite(request, store, out var container, out var metadata, out var terms)
        ?? await storing.ChangeAsync(
            request,
            container!,
            (out StoredBlob? previous, out StoredBlob? stored) =>
                container!.Change(request.Blob!, terms, details => details with { Metadata = metadata }, out previous, out stored)
        );

    public async Task<BlobFailure?> SetHeadersAsync(BlobRequest request)
    {
        var headers = request.StoredHeaders(contentType: string.Empty);
        return CheckWrite(request, store, out var container, out _, out var terms)
            ?? await storing.ChangeAsync(
                request,
                container!,
                (out StoredBlob? previous, out StoredBlob? stored) =>
                    container!.Change(request.Blob!, terms, details => details with { Headers = headers }, out previous, out stored)
            );
    }

    public BlobFailure? Delete(BlobRequest request)
    {
        if (store.Find(request.Container!, out var container) is { } missing)
        {
            return missing;
        }

        var failure = WriteTerms.TryRead(request, out var terms) ?? container!.Delete(request.Blob!, terms);
        if (failure is null)
        {
            BlobAnswer.Empty(request.Response, StatusCodes.Status202Accepted);
            request.Response.Headers["x-ms-delete-type-permanent"] = "true";
        }

        return failure;
    }

    /// <summary>The common checks of all writes of a blob: container, name, metadata and conditions.</summary>
    public static BlobFailure? CheckWrite(
        BlobRequest request,
        BlobStore store,
        out StoredContainer? container,
        out Dictionary<string, string> metadata,
        out WriteTerms terms
    )
    {
        metadata = [];
        terms = default;
        return store.Find(request.Container!, out container) ?? request.TryReadMetadata(out metadata) ?? WriteTerms.TryRead(request, out terms);
    }

    public static BlobFailure? CheckType(BlobRequest request) =>
        request.Header("x-ms-blob-type") switch
        {
            null => BlobFailure.MissingHeader("x-ms-blob-type"),
            "BlockBlob" => null,
            "AppendBlob" or "PageBlob" => BlobFailure.BlobTypeNotSupported,
            _ => BlobFailure.InvalidHeader("x-ms-blob-type"),
        };
}
