using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The checksums of transfers: which of them a request may announce, which counts, and which the answer returns.</summary>
[SuppressMessage("Security", "CA5351:Do Not Use Broken Cryptographic Algorithms", Justification = "The protocol's checksum.")]
public sealed class BlobTransferTests : IAsyncLifetime
{
    private const string Digits = "123456789";

    // The catalogue's check value of this CRC for the nine digits, least significant byte first.
    private const string Crc64 = "iJh5CoYUi64=";
    private const string OtherCrc64 = "AAAAAAAAAAA=";
    private const string FourBytes = "AAAAAA==";

    private static readonly string Md5 = Convert.ToBase64String(MD5.HashData(Encoding.ASCII.GetBytes(Digits)));
    private static readonly string OtherMd5 = Convert.ToBase64String(MD5.HashData([]));

    private BlobEndpoint? endpoint;

    /// <summary>Where a body goes: a blob, a block, and the list of blocks of <see cref="InitializeAsync"/>.</summary>
    public static TheoryData<string> Bodies => ["/c01/a", "/c01/b?comp=block&blockid=AAAA"];

    /// <summary>The targets of a source: an immediate copy, a blob, and a block.</summary>
    public static TheoryData<string> Copies => ["x-ms-requires-sync", "x-ms-blob-type", "block"];

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        endpoint = await BlobEndpoint.StartAsync(Cancelled);
        await PutAsync("/c01/from", Digits);
    }

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task A_put_blob_returns_both_checksums_and_a_block_the_one_that_was_not_sent()
    {
        var blob = await PutAsync("/c01/a", Digits);
        Assert.Equal((201, Crc64, Md5), (blob.Status, GetHeader(blob, "x-ms-content-crc64"), GetHeader(blob, "Content-MD5")));

        var block = await PutAsync("/c01/b?comp=block&blockid=AAAA", Digits);
        Assert.Equal((201, Crc64, null), (block.Status, GetHeader(block, "x-ms-content-crc64"), GetHeader(block, "Content-MD5")));
        var announced = await PutAsync("/c01/b?comp=block&blockid=AAAA", Digits, ("Content-MD5", Md5));
        Assert.Equal((201, null, Md5), (announced.Status, GetHeader(announced, "x-ms-content-crc64"), GetHeader(announced, "Content-MD5")));
    }

    [Fact]
    public async Task A_committed_block_list_returns_the_checksum_of_the_list()
    {
        const string List = "<BlockList><Latest>AAAA</Latest></BlockList>";
        var md5 = Convert.ToBase64String(MD5.HashData(Encoding.ASCII.GetBytes(List)));
        await PutAsync("/c01/b?comp=block&blockid=AAAA", Digits);
        var plain = await PutAsync("/c01/b?comp=blocklist", List);
        Assert.Equal((201, 12, null), (plain.Status, GetHeader(plain, "x-ms-content-crc64")?.Length, GetHeader(plain, "Content-MD5")));

        var announced = await PutAsync("/c01/b?comp=blocklist", List, ("Content-MD5", md5));
        Assert.Equal((201, null, md5), (announced.Status, GetHeader(announced, "x-ms-content-crc64"), GetHeader(announced, "Content-MD5")));
        Assert.Equal((400, "Md5Mismatch"), Refusal(await PutAsync("/c01/b?comp=blocklist", List, ("Content-MD5", OtherMd5))));
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task Refuses_checksums_that_are_wrong_none_or_two(string path)
    {
        Assert.Equal((400, "Md5Mismatch"), Refusal(await PutAsync(path, Digits, ("Content-MD5", OtherMd5))));
        Assert.Equal((400, "InvalidMd5"), Refusal(await PutAsync(path, Digits, ("Content-MD5", FourBytes))));
        Assert.Equal((400, "Crc64Mismatch"), Refusal(await PutAsync(path, Digits, ("x-ms-content-crc64", OtherCrc64))));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, Digits, ("x-ms-content-crc64", FourBytes))));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, Digits, ("x-ms-content-crc64", "no base64!"))));
        Assert.Equal((400, "BothCrc64AndMd5HeaderPresent"), Refusal(await PutAsync(path, Digits, ("Content-MD5", Md5), ("x-ms-content-crc64", Crc64))));
        Assert.Equal(404, (await endpoint!.Client.SendAsync("HEAD", path.Split('?')[0], Cancelled)).Status);
    }

    [Fact]
    public async Task Stored_hash_of_a_blob_takes_precedence()
    {
        Assert.Equal(201, (await PutAsync("/c01/a", Digits, ("Content-MD5", OtherMd5), ("x-ms-blob-content-md5", Md5))).Status);
        Assert.Equal((400, "Md5Mismatch"), Refusal(await PutAsync("/c01/a", Digits, ("Content-MD5", Md5), ("x-ms-blob-content-md5", OtherMd5))));
        Assert.Equal((400, "InvalidMd5"), Refusal(await PutAsync("/c01/a", Digits, ("x-ms-blob-content-md5", FourBytes))));
        Assert.Equal(
            (400, "BothCrc64AndMsMd5HeaderPresent"),
            Refusal(await PutAsync("/c01/a", Digits, ("x-ms-blob-content-md5", Md5), ("x-ms-content-crc64", Crc64)))
        );

        // A block has no such property.
        Assert.Equal(201, (await PutAsync("/c01/b?comp=block&blockid=AAAA", Digits, ("x-ms-blob-content-md5", FourBytes))).Status);
    }

    [Theory]
    [MemberData(nameof(Copies))]
    public async Task The_hash_of_a_copy_source_is_validated_and_returned(string kind)
    {
        var copied = await CopyAsync(kind, ("x-ms-source-content-md5", Md5));
        Assert.Equal((true, Md5), (copied.Status is 201 or 202, GetHeader(copied, "Content-MD5")));
        Assert.Equal((400, "Md5Mismatch"), Refusal(await CopyAsync(kind, ("x-ms-source-content-md5", OtherMd5))));
        Assert.Equal((400, "InvalidMd5"), Refusal(await CopyAsync(kind, ("x-ms-source-content-md5", FourBytes))));
    }

    [Theory]
    [MemberData(nameof(Copies))]
    public async Task A_copy_returns_the_CRC_of_its_source_and_the_MD5_of_a_blob(string kind)
    {
        var copied = await CopyAsync(kind);
        Assert.Equal(Crc64, GetHeader(copied, "x-ms-content-crc64"));
        Assert.Equal(kind == "x-ms-blob-type" ? Md5 : null, GetHeader(copied, "Content-MD5"));
    }

    [Fact]
    public async Task A_block_from_a_source_may_announce_the_checksum_of_its_range()
    {
        var range = ("x-ms-source-range", "bytes=1-3");
        var md5 = Convert.ToBase64String(MD5.HashData(Encoding.ASCII.GetBytes("234")));
        Assert.Equal(201, (await CopyAsync("block", range, ("x-ms-source-content-md5", md5))).Status);
        Assert.Equal((400, "Md5Mismatch"), Refusal(await CopyAsync("block", range, ("x-ms-source-content-md5", Md5))));
        var whole = await CopyAsync("block", ("x-ms-source-content-crc64", Crc64));
        Assert.Equal((201, Crc64), (whole.Status, GetHeader(whole, "x-ms-content-crc64")));
        Assert.Equal((400, "Crc64Mismatch"), Refusal(await CopyAsync("block", ("x-ms-source-content-crc64", OtherCrc64))));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await CopyAsync("block", ("x-ms-source-content-crc64", FourBytes))));
        Assert.Equal(
            (400, "BothCrc64AndMd5HeaderPresent"),
            Refusal(await CopyAsync("block", ("x-ms-source-content-md5", Md5), ("x-ms-source-content-crc64", Crc64)))
        );
    }

    [Fact]
    public async Task Gives_one_checksum_of_a_range_and_not_two()
    {
        var range = ("x-ms-range", "bytes=0-8");
        var one = await endpoint!.Client.SendAsync("GET", "/c01/from", Cancelled, headers: [range, ("x-ms-range-get-content-crc64", "true")]);
        Assert.Equal((206, Crc64), (one.Status, GetHeader(one, "x-ms-content-crc64")));
        var two = await endpoint.Client.SendAsync(
            "GET",
            "/c01/from",
            Cancelled,
            headers: [range, ("x-ms-range-get-content-crc64", "true"), ("x-ms-range-get-content-md5", "true")]
        );
        Assert.Equal((400, "BothCrc64AndMd5RangeHeaderPresent"), Refusal(two));
    }

    private static string? GetHeader(RawAnswer answer, string header) => answer.Headers.GetValueOrDefault(header);

    private static (int, string?) Refusal(RawAnswer answer) => (answer.Status, answer.Code);

    private Task<RawAnswer> PutAsync(string path, string body, params (string, string)[] headers) =>
        endpoint!.Client.SendAsync("PUT", path, Cancelled, body, [("x-ms-blob-type", "BlockBlob"), .. headers]);

    private Task<RawAnswer> CopyAsync(string kind, params (string, string)[] headers)
    {
        (string, string)[] form = kind switch
        {
            "x-ms-requires-sync" => [(kind, "true")],
            "x-ms-blob-type" => [(kind, "BlockBlob")],
            _ => [],
        };
        return endpoint!.Client.SendAsync(
            "PUT",
            kind == "block" ? "/c01/to?comp=block&blockid=AAAA" : "/c01/to",
            Cancelled,
            headers: [("x-ms-copy-source", $"{endpoint.Service.Endpoint}/c01/from"), .. form, .. headers]
        );
    }
}
