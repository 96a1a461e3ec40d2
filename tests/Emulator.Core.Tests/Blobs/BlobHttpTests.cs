using System.Globalization;
using System.Security.Cryptography;
using System.Xml.Linq;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Statuses, headers and bodies as the official clients expect them, byte for byte.</summary>
public sealed class BlobHttpTests : IAsyncLifetime
{
    private static readonly (string, string) BlockBlob = ("x-ms-blob-type", "BlockBlob");

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync() => endpoint = await BlobEndpoint.StartAsync(Cancelled);

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task Echoes_version_and_request_identifier_exactly()
    {
        var answer = await Client.SendAsync("GET", "/c01?restype=container", Cancelled, headers: ("x-ms-client-request-id", "AbC-1 2"));

        Assert.Equal(200, answer.Status);
        Assert.Equal("AbC-1 2", answer.Headers["x-ms-client-request-id"]);
        Assert.Equal("2023-11-03", answer.Headers["x-ms-version"]);
        Assert.True(answer.Headers.ContainsKey("x-ms-request-id"));
        Assert.True(answer.Headers.ContainsKey("Date"));
        Assert.StartsWith("\"0x", answer.Headers["ETag"], StringComparison.Ordinal);
        Assert.Equal("Thu, 01 Jan 2026 00:00:00 GMT", answer.Headers["Last-Modified"]);
    }

    [Fact]
    public async Task Answers_a_missing_blob_to_HEAD_without_body_and_content_type()
    {
        var answer = await Client.SendAsync("HEAD", "/c01/127.0.0.1/hub1/%24default/checkpoint/-1", Cancelled);

        Assert.Equal((404, "BlobNotFound", string.Empty), (answer.Status, answer.Code, answer.Body));
        Assert.False(answer.Headers.ContainsKey("Content-Type"));
    }

    [Fact]
    public async Task Writes_errors_as_XML()
    {
        var answer = await Client.SendAsync("GET", "/c01/absent", Cancelled);

        Assert.Equal((404, "BlobNotFound", "application/xml"), (answer.Status, answer.Code, answer.Headers["Content-Type"]));
        Assert.Equal(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>BlobNotFound</Code><Message>The specified blob does not exist.</Message></Error>",
            answer.Body
        );
    }

    [Theory]
    [InlineData("PUT", "/ABC?restype=container", 400, "InvalidResourceName")]
    [InlineData("PUT", "/a--b?restype=container", 400, "InvalidResourceName")]
    [InlineData("PUT", "/-ab?restype=container", 400, "InvalidResourceName")]
    [InlineData("PUT", "/ab?restype=container", 400, "OutOfRangeInput")]
    [InlineData("PUT", "/%E4%B8%AD%E4%B8%AD%E4%B8%AD?restype=container", 400, "InvalidResourceName")]
    [InlineData("PUT", "/c01?restype=container", 409, "ContainerAlreadyExists")]
    [InlineData("GET", "/c02?restype=container", 404, "ContainerNotFound")]
    [InlineData("DELETE", "/c02?restype=container", 404, "ContainerNotFound")]
    [InlineData("GET", "/c02?restype=container&comp=list", 404, "ContainerNotFound")]
    [InlineData("GET", "/c01?restype=container&comp=list&maxresults=0", 400, "OutOfRangeQueryParameterValue")]
    [InlineData("GET", "/c01?restype=container&comp=list&maxresults=-1", 400, "InvalidQueryParameterValue")]
    [InlineData("GET", "/c01?restype=container&comp=list&maxresults=many", 400, "InvalidQueryParameterValue")]
    [InlineData("GET", "/c01?restype=container&comp=list&marker=%21%21", 400, "InvalidQueryParameterValue")]
    [InlineData("GET", "/c01?restype=container&comp=nothing", 400, "InvalidQueryParameterValue")]
    [InlineData("PATCH", "/c01?restype=container", 405, "UnsupportedHttpVerb")]
    [InlineData("POST", "/c01/a", 405, "UnsupportedHttpVerb")]
    [InlineData("GET", "/c01", 404, "ContainerNotFound")]
    [InlineData("PUT", "/c01/a", 400, "MissingRequiredHeader")]
    [InlineData("PUT", "/c01/a?comp=nothing", 400, "InvalidQueryParameterValue")]
    [InlineData("PUT", "/c01/a?comp=lease", 400, "MissingRequiredHeader")]
    [InlineData("PUT", "/c01/a?comp=tier", 501, "NotImplemented")]
    [InlineData("PUT", "/c01/a?comp=tags", 501, "NotImplemented")]
    [InlineData("PUT", "/c01/a?comp=snapshot", 501, "NotImplemented")]
    [InlineData("GET", "/c01/a?snapshot=2026-01-01T00%3A00%3A00.0000000Z", 501, "NotImplemented")]
    [InlineData("PUT", "/c01/a?comp=appendblock", 400, "BlobTypeNotSupported")]
    [InlineData("PUT", "/c01/a?comp=copy&copyid=1", 409, "NoPendingCopyOperation")]
    [InlineData("POST", "/?comp=batch", 501, "NotImplemented")]
    [InlineData("PUT", "/?restype=service&comp=properties", 501, "NotImplemented")]
    [InlineData("GET", "/c01?restype=container&comp=list&showonly=deleted", 400, "UnsupportedQueryParameter")]
    [InlineData("GET", "/c01?restype=container&comp=list&include=colours", 400, "InvalidQueryParameterValue")]
    [InlineData("GET", "/c01/a?colour=red", 400, "UnsupportedQueryParameter")]
    [InlineData("GET", "/?comp=list&endBefore=b", 400, "UnsupportedQueryParameter")]
    [InlineData("GET", "/c01/a?startFrom=b", 400, "UnsupportedQueryParameter")]
    [InlineData("GET", "/c01/a?comp=blocklist&blocklisttype=some", 400, "InvalidQueryParameterValue")]
    [InlineData("GET", "/c01/a?comp=blocklist", 404, "BlobNotFound")]
    [InlineData("PUT", "/c01/a?comp=metadata", 404, "BlobNotFound")]
    [InlineData("PUT", "/c01/a?comp=block", 400, "InvalidBlockId")]
    [InlineData("PUT", "/c01/a?comp=block&blockid=%21%21", 400, "InvalidBlockId")]
    [InlineData("PUT", "/c01/a?comp=blocklist", 400, "InvalidXmlDocument")]
    [InlineData("DELETE", "/c01/a", 404, "BlobNotFound")]
    [InlineData("PUT", "/c01/a%01b?comp=metadata", 400, "InvalidResourceName")]
    [InlineData("GET", "/c01/a%", 400, "InvalidUri")]
    [InlineData("GET", "/c01/%C0%80", 400, "InvalidUri")]
    [InlineData("GET", "/c01/%25C0%2580", 404, "BlobNotFound")]
    public async Task Refuses_with_the_codes_of_the_service(string method, string path, int status, string code)
    {
        var answer = await Client.SendAsync(method, path, Cancelled);

        Assert.Equal((status, code), (answer.Status, answer.Code));
    }

    [Theory]
    [InlineData("bytes=0-3", 206, "0123", "bytes 0-3/10")]
    [InlineData("bytes=8-99", 206, "89", "bytes 8-9/10")]
    [InlineData("bytes=9-", 206, "9", "bytes 9-9/10")]
    [InlineData("bytes=10-", 416, null, "bytes */10")]
    [InlineData("bytes=3-2", 416, null, "bytes */10")]
    [InlineData("bytes=-3", 206, "789", "bytes 7-9/10")]
    [InlineData("bytes=-30", 206, "0123456789", "bytes 0-9/10")]
    [InlineData("bytes=-0", 416, null, "bytes */10")]
    [InlineData("bytes=--3", 200, "0123456789", null)]
    [InlineData("lines=1-2", 200, "0123456789", null)]
    [InlineData("bytes=99999999999999999999-", 200, "0123456789", null)]
    public async Task Sends_ranges(string range, int status, string? body, string? contentRange)
    {
        await PutAsync("a", "0123456789");

        foreach (var header in new[] { "Range", "x-ms-range" })
        {
            var answer = await Client.SendAsync("GET", "/c01/a", Cancelled, headers: (header, range));

            Assert.Equal((status, contentRange), (answer.Status, answer.Headers.GetValueOrDefault("Content-Range")));
            Assert.Equal(body ?? answer.Body, answer.Body);
        }
    }

    [Fact]
    public async Task Gives_back_all_that_was_stored_with_a_blob()
    {
        await PutAsync(
            "a",
            "one",
            ("x-ms-blob-content-type", "text/x"),
            ("x-ms-blob-cache-control", "no-cache"),
            ("x-ms-meta-Own", string.Empty),
            ("x-ms-meta-b", "c d")
        );

        foreach (var method in new[] { "HEAD", "GET" })
        {
            var answer = await Client.SendAsync(method, "/c01/a", Cancelled);

            Assert.Equal(("3", "text/x", "no-cache"), (answer.Headers["Content-Length"], answer.Headers["Content-Type"], answer.Headers["Cache-Control"]));
            Assert.Equal(("BlockBlob", "bytes"), (answer.Headers["x-ms-blob-type"], answer.Headers["Accept-Ranges"]));
            Assert.Equal((string.Empty, "c d"), (answer.Headers["x-ms-meta-Own"], answer.Headers["x-ms-meta-b"]));
            Assert.Equal("Thu, 01 Jan 2026 00:00:00 GMT", answer.Headers["x-ms-creation-time"]);
        }

        var list = await Client.SendAsync("GET", "/c01?restype=container&comp=list&include=Metadata", Cancelled);
        Assert.Contains("<Metadata><Own></Own><b>c d</b></Metadata>", list.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Moves_last_modified_with_its_clock_on_every_metadata_write()
    {
        await PutAsync("a", "one");
        endpoint!.Clock.Advance(TimeSpan.FromSeconds(90));

        var answer = await Client.SendAsync("PUT", "/c01/a?comp=metadata", Cancelled);

        Assert.Equal("Thu, 01 Jan 2026 00:01:30 GMT", answer.Headers["Last-Modified"]);
        Assert.Equal("Thu, 01 Jan 2026 00:00:00 GMT", (await Client.SendAsync("HEAD", "/c01/a", Cancelled)).Headers["x-ms-creation-time"]);
    }

    [Fact]
    public async Task Refuses_bad_metadata_and_damaged_bodies()
    {
        Assert.Equal((400, "InvalidMetadata"), await RefusedPut(("x-ms-meta-a-b", "x")));
        Assert.Equal((400, "InvalidMetadata"), await RefusedPut(("x-ms-meta-1a", "x")));
        Assert.Equal((400, "InvalidMetadata"), await RefusedPut(("x-ms-meta-a", "ä")));
        Assert.Equal((400, "MetadataTooLarge"), await RefusedPut(("x-ms-meta-a", new string('x', 9_000))));
        Assert.Equal((400, "Md5Mismatch"), await RefusedPut(("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")));
        Assert.Equal((400, "Md5Mismatch"), await RefusedPut(("x-ms-blob-content-md5", Md5("other"))));
        Assert.Equal((400, "InvalidMd5"), await RefusedPut(("Content-MD5", "AAAA")));
        Assert.Equal((400, "Crc64Mismatch"), await RefusedPut(("x-ms-content-crc64", "AAAAAAAAAAA=")));
        Assert.Equal((501, "NotImplemented"), await RefusedPut(("x-ms-encryption-key", "AAAA")));
        Assert.Equal((400, "UnsupportedHeader"), await RefusedPut(("x-ms-colour", "red")));
        Assert.Equal(201, (await PutAsync("good", "x", ("Content-MD5", Md5("x")))).Status);
        Assert.Equal(201, (await PutAsync("algorithm", "x", ("x-ms-encryption-algorithm", "AES256"))).Status);
    }

    [Fact]
    public async Task Puts_blocks_together_in_the_order_of_the_list()
    {
        await Client.SendAsync("PUT", "/c01/a?comp=block&blockid=QQ%3D%3D", Cancelled, "one-");
        await Client.SendAsync("PUT", "/c01/a?comp=block&blockid=Qg%3D%3D", Cancelled, "two-");
        Assert.Equal(404, (await Client.SendAsync("HEAD", "/c01/a", Cancelled)).Status);

        var list = await Client.SendAsync(
            "PUT",
            "/c01/a?comp=blocklist",
            Cancelled,
            "<?xml version=\"1.0\"?><BlockList><Latest>Qg==</Latest><Uncommitted>QQ==</Uncommitted><Latest>Qg==</Latest></BlockList>"
        );
        Assert.Equal(201, list.Status);
        Assert.Equal("two-one-two-", (await Client.SendAsync("GET", "/c01/a", Cancelled)).Body);

        await Client.SendAsync("PUT", "/c01/a?comp=block&blockid=QQ%3D%3D", Cancelled, "new-");
        await Client.SendAsync("PUT", "/c01/a?comp=blocklist", Cancelled, "<BlockList><Committed>QQ==</Committed><Latest>QQ==</Latest></BlockList>");
        Assert.Equal("one-new-", (await Client.SendAsync("GET", "/c01/a", Cancelled)).Body);

        var gone = await Client.SendAsync("PUT", "/c01/a?comp=blocklist", Cancelled, "<BlockList><Uncommitted>QQ==</Uncommitted></BlockList>");
        Assert.Equal((400, "InvalidBlockList"), (gone.Status, gone.Code));
    }

    [Fact]
    public async Task Blocks_whose_identifiers_encode_other_numbers_of_bytes_are_refused()
    {
        // MQ== and MjI= are of one length: they encode one byte and two.
        await Client.SendAsync("PUT", "/c01/a?comp=block&blockid=MQ%3D%3D", Cancelled, "one");
        foreach (var query in new[] { "blockid=MjI%3D", "blockid=MjIyMjI%3D" })
        {
            var other = await Client.SendAsync("PUT", $"/c01/a?comp=block&{query}", Cancelled, "two");
            Assert.Equal((400, "InvalidBlobOrBlock"), (other.Status, other.Code));
        }

        await Client.SendAsync("PUT", "/c01/from", Cancelled, "two", BlockBlob);
        var copied = await Client.SendAsync(
            "PUT",
            "/c01/a?comp=block&blockid=MjI%3D",
            Cancelled,
            headers: ("x-ms-copy-source", $"{endpoint!.Service.Endpoint}/c01/from")
        );
        Assert.Equal((400, "InvalidBlobOrBlock"), (copied.Status, copied.Code));

        // Committed blocks do not count: another program may write the blob again.
        await Client.SendAsync("PUT", "/c01/a?comp=blocklist", Cancelled, "<BlockList><Latest>MQ==</Latest></BlockList>");
        Assert.Equal(201, (await Client.SendAsync("PUT", "/c01/a?comp=block&blockid=MjI%3D", Cancelled, "two")).Status);
    }

    [Fact]
    public async Task A_blob_that_has_only_uncommitted_blocks_is_deleted()
    {
        async Task<(int, string?)> DeleteAsync(params (string, string)[] headers)
        {
            var answer = await Client.SendAsync("DELETE", "/c01/a", Cancelled, headers: headers);
            return (answer.Status, answer.Code);
        }

        await Client.SendAsync("PUT", "/c01/a?comp=block&blockid=AAAA", Cancelled, "one");
        Assert.Equal((412, "ConditionNotMet"), await DeleteAsync(("If-Match", "\"0x0\"")));
        Assert.Equal((412, "LeaseNotPresentWithBlobOperation"), await DeleteAsync(("x-ms-lease-id", "00000000-0000-0000-0000-000000000001")));
        Assert.Equal((202, null), await DeleteAsync());
        Assert.Equal((404, "BlobNotFound"), await DeleteAsync());
        Assert.Equal(404, (await Client.SendAsync("GET", "/c01/a?comp=blocklist&blocklisttype=all", Cancelled)).Status);
    }

    [Theory]
    [InlineData("<BlockList><Latest>QQ==</Latest>")]
    [InlineData("<Blocks/>")]
    [InlineData("<!DOCTYPE a [<!ENTITY b \"c\">]><BlockList><Latest>&b;</Latest></BlockList>")]
    [InlineData("<BlockList><Other>QQ==</Other></BlockList>")]
    [InlineData("<BlockList><Latest><a/></Latest></BlockList>")]
    [InlineData("not xml")]
    public async Task Refuses_block_lists_that_are_none(string body)
    {
        var answer = await Client.SendAsync("PUT", "/c01/a?comp=blocklist", Cancelled, body);

        Assert.Equal((400, "InvalidXmlDocument"), (answer.Status, answer.Code));
    }

    [Fact]
    public async Task Lists_by_pages_prefix_and_delimiter()
    {
        foreach (var name in new[] { "a/1", "a/2", "b", "c/1", "c/d/1", "e" })
        {
            await PutAsync(name, string.Empty);
        }

        List<string> pages = [];
        var marker = string.Empty;
        do
        {
            var answer = await Client.SendAsync(
                "GET",
                $"/c01?restype=container&comp=list&maxresults=2&delimiter=%2F&marker={Uri.EscapeDataString(marker)}",
                Cancelled
            );
            var root = XElement.Parse(answer.Body);
            pages.Add(string.Join(' ', root.Element("Blobs")!.Elements().Select(static entry => $"{entry.Name}:{entry.Element("Name")!.Value}")));
            marker = root.Element("NextMarker")!.Value;
        } while (marker.Length > 0);

        Assert.Equal(["BlobPrefix:a/ Blob:b", "BlobPrefix:c/ Blob:e"], pages);
        var prefixed = await Client.SendAsync("GET", "/c01?restype=container&comp=list&prefix=c%2F&delimiter=%2F", Cancelled);
        Assert.Equal(["c/1", "c/d/"], XElement.Parse(prefixed.Body).Element("Blobs")!.Elements().Select(static entry => entry.Element("Name")!.Value));
        Assert.DoesNotContain(((await Client.SendAsync("HEAD", "/c01/b", Cancelled)).Headers["ETag"]), prefixed.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Takes_bodies_in_chunks_and_wants_to_know_the_length_of_others()
    {
        var headers = endpoint!.Client.Sign("PUT", "/c01/a", BlockBlob, ("Transfer-Encoding", "chunked"));
        var target = "/devstoreaccount1/c01/a";
        Assert.Equal(201, (await Client.SendUnsignedAsync("PUT", target, headers, "1\r\nx\r\n2\r\nyz\r\n0\r\n\r\n", Cancelled)).Status);
        Assert.Equal("xyz", (await Client.SendAsync("GET", "/c01/a", Cancelled)).Body);

        var none = await Client.SendUnsignedAsync("PUT", target, endpoint.Client.Sign("PUT", "/c01/a", BlockBlob), string.Empty, Cancelled);
        Assert.Equal((411, "MissingContentLengthHeader"), (none.Status, none.Code));
    }

    [Fact]
    public async Task Checksums_of_transfers_are_validated_and_returned()
    {
        // The catalogue's check value of this CRC for the nine digits, least significant byte first.
        const string Crc64 = "iJh5CoYUi64=";
        var put = await PutAsync("a", "123456789", ("x-ms-content-crc64", Crc64));
        Assert.Equal((201, Crc64), (put.Status, put.Headers["x-ms-content-crc64"]));
        Assert.Equal(Md5("123456789"), (await PutAsync("a", "123456789")).Headers["Content-MD5"]);
        Assert.Equal(Md5("123456789"), (await Client.SendAsync("HEAD", "/c01/a", Cancelled)).Headers["Content-MD5"]);

        var part = await Client.SendAsync("GET", "/c01/a", Cancelled, headers: [("x-ms-range", "bytes=2-4"), ("x-ms-range-get-content-md5", "true")]);
        Assert.Equal((206, "345", Md5("345"), Md5("123456789")), (part.Status, part.Body, part.Headers["Content-MD5"], part.Headers["x-ms-blob-content-md5"]));
        var whole = await Client.SendAsync("GET", "/c01/a", Cancelled, headers: ("x-ms-range-get-content-md5", "true"));
        Assert.Equal((400, "InvalidHeaderValue"), (whole.Status, whole.Code));
    }

    [Theory]
    [InlineData("GET")]
    [InlineData("HEAD")]
    public async Task Answers_metadata_without_the_content(string method)
    {
        await PutAsync("a", "one", ("x-ms-meta-k", "v"));

        var answer = await Client.SendAsync(method, "/c01/a?comp=metadata", Cancelled);
        Assert.Equal((200, "v", "0", string.Empty), (answer.Status, answer.Headers["x-ms-meta-k"], answer.Headers["Content-Length"], answer.Body));
        Assert.False(answer.Headers.ContainsKey("Content-Type"));
    }

    [Fact]
    public async Task Replaces_the_standard_headers_and_nothing_else()
    {
        await PutAsync("a", "one", ("x-ms-blob-content-type", "text/x"), ("x-ms-meta-k", "v"));
        Assert.Equal(200, (await Client.SendAsync("PUT", "/c01/a?comp=properties", Cancelled, headers: ("x-ms-blob-cache-control", "max-age=1"))).Status);

        var read = await Client.SendAsync("GET", "/c01/a", Cancelled);
        Assert.Equal(("one", "max-age=1", "v"), (read.Body, read.Headers["Cache-Control"], read.Headers["x-ms-meta-k"]));
        Assert.False(read.Headers.ContainsKey("Content-MD5") || read.Headers.ContainsKey("Content-Type"));
    }

    [System.Diagnostics.CodeAnalysis.SuppressMessage(
        "Security",
        "CA5351:Do Not Use Broken Cryptographic Algorithms",
        Justification = "The protocol's checksum."
    )]
    private static string Md5(string text) => Convert.ToBase64String(MD5.HashData(System.Text.Encoding.UTF8.GetBytes(text)));

    private Task<RawAnswer> PutAsync(string name, string body, params (string, string)[] headers) =>
        Client.SendAsync("PUT", string.Create(CultureInfo.InvariantCulture, $"/c01/{name}"), Cancelled, body, [BlockBlob, .. headers]);

    private async Task<(int, string?)> RefusedPut(params (string, string)[] headers)
    {
        var answer = await PutAsync("a", "refused", headers);
        return (answer.Status, answer.Code);
    }
}
