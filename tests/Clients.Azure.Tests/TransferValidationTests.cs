using System.Net;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>The package's checks of transfers against the emulator: checksums with uploads and downloads, and what happens where content is damaged on its way.</summary>
public sealed class TransferValidationTests(BlobFixture fixture) : IClassFixture<BlobFixture>
{
    // More than one of the segments that the package and the emulator make.
    private static readonly byte[] Content = Enumerable.Range(0, (9 * 1024 * 1024) + 5).Select(static i => (byte)(i * 31 >> 3)).ToArray();

    private readonly string name = Guid.NewGuid().ToString("N");

    public static TheoryData<StorageChecksumAlgorithm> Algorithms => [.. OfWholeBlobs, StorageChecksumAlgorithm.MD5];

    // The service computes an MD5 of ranges only, up to 4 MiB.
    private static StorageChecksumAlgorithm[] OfWholeBlobs =>
        [StorageChecksumAlgorithm.Auto, StorageChecksumAlgorithm.StorageCrc64, StorageChecksumAlgorithm.None];

    public static TheoryData<StorageChecksumAlgorithm> AlgorithmsOfWholeBlobs => [.. OfWholeBlobs];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(AlgorithmsOfWholeBlobs))]
    public async Task A_blob_is_uploaded_and_downloaded_with_checksums(StorageChecksumAlgorithm algorithm)
    {
        var blob = Blob(algorithm);
        await blob.UploadAsync(new BinaryData(Content), Token);

        Assert.Equal(Content, (await blob.DownloadContentAsync(Token)).Value.Content.ToArray());
        Assert.Equal(Content.Length, (await blob.GetPropertiesAsync(cancellationToken: Token)).Value.ContentLength);
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public async Task A_blob_is_uploaded_and_downloaded_in_parts(StorageChecksumAlgorithm algorithm)
    {
        var blob = Blob(algorithm);
        StorageTransferOptions parts = new() { InitialTransferSize = 1024 * 1024, MaximumTransferSize = 2 * 1024 * 1024 };
        using MemoryStream source = new(Content);
        await blob.UploadAsync(source, new BlobUploadOptions { TransferOptions = parts }, Token);

        using MemoryStream target = new();
        await blob.DownloadToAsync(target, new BlobDownloadToOptions { TransferOptions = parts }, Token);
        Assert.Equal(Content, target.ToArray());
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public async Task Staged_blocks_and_ranges_have_checksums(StorageChecksumAlgorithm algorithm)
    {
        var blob = Container(algorithm).GetBlockBlobClient(name);
        string[] ids = ["AAAA", "AAAB"];
        using MemoryStream first = new(Content, 0, 100_000);
        using MemoryStream second = new(Content, 100_000, 50_000);
        await blob.StageBlockAsync(ids[0], first, cancellationToken: Token);
        await blob.StageBlockAsync(ids[1], second, cancellationToken: Token);
        await blob.CommitBlockListAsync(ids, cancellationToken: Token);

        var part = await blob.DownloadContentAsync(new BlobDownloadOptions { Range = new HttpRange(99_990, 20) }, Token);
        Assert.Equal(Content[99_990..100_010], part.Value.Content.ToArray());
        Assert.Equal(206, part.GetRawResponse().Status);
    }

    [Theory]
    [MemberData(nameof(AlgorithmsOfWholeBlobs))]
    public async Task Empty_content_has_checksums_too(StorageChecksumAlgorithm algorithm)
    {
        var blob = Blob(algorithm);
        await blob.UploadAsync(new BinaryData([]), Token);
        Assert.Empty((await blob.DownloadContentAsync(Token)).Value.Content.ToArray());
    }

    [Fact]
    public async Task Content_that_is_damaged_on_its_way_is_refused()
    {
        var blob = Blob(StorageChecksumAlgorithm.StorageCrc64, new DamagingPolicy());
        var refused = await Assert.ThrowsAsync<RequestFailedException>(() => blob.UploadAsync(new BinaryData(Content[..1000]), Token));
        Assert.Equal(((int)HttpStatusCode.BadRequest, "Crc64Mismatch"), (refused.Status, refused.ErrorCode));
        Assert.False(await blob.ExistsAsync(Token));
    }

    private BlobClient Blob(StorageChecksumAlgorithm algorithm, HttpPipelinePolicy? policy = null) => Container(algorithm, policy).GetBlobClient(name);

    private BlobContainerClient Container(StorageChecksumAlgorithm algorithm, HttpPipelinePolicy? policy = null)
    {
        BlobClientOptions options = new();
        options.TransferValidation.Upload.ChecksumAlgorithm = algorithm;
        options.TransferValidation.Download.ChecksumAlgorithm = algorithm;
        options.Retry.MaxRetries = 0;
        if (policy is not null)
        {
            options.AddPolicy(policy, HttpPipelinePosition.PerRetry);
        }

        return new BlobContainerClient(fixture.ConnectionString, "container", options);
    }

    /// <summary>Changes a byte of what is uploaded.</summary>
    private sealed class DamagingPolicy : HttpPipelineSynchronousPolicy
    {
        public override void OnSendingRequest(HttpMessage message)
        {
            if (message.Request.Content is not { } content)
            {
                return;
            }

            using MemoryStream all = new();
            content.WriteTo(all, Token);
            var bytes = all.ToArray();
            bytes[bytes.Length / 2] ^= 1;
            message.Request.Content = RequestContent.Create(bytes);
        }
    }
}
