using System.Globalization;
using System.Text;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Bodies with a checksum of each segment over HTTP: what is accepted, what is refused, and what the answer repeats.</summary>
public sealed class BlobStructuredBodyTests : IAsyncLifetime
{
    private const string Content = "123456789";
    private const string Kind = "XSM/1.0; properties=crc64";
    private const int Limit = 1_000;

    private BlobEndpoint? endpoint;

    public static TheoryData<string> Bodies => ["/c01/a", "/c01/b?comp=block&blockid=AAAA"];

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync() => endpoint = await BlobEndpoint.StartAsync(Cancelled, static options => options with { BodyLimit = Limit });

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task The_content_is_stored_and_the_answer_repeats_the_format(string path)
    {
        var put = await PutAsync(path, await FramedAsync(Content));
        Assert.Equal((201, Kind, "iJh5CoYUi64="), (put.Status, put.Headers["x-ms-structured-body"], put.Headers["x-ms-content-crc64"]));

        await Client.SendAsync("PUT", "/c01/b?comp=blocklist", Cancelled, "<BlockList><Latest>AAAA</Latest></BlockList>");
        Assert.Equal(Content, (await Client.SendAsync("GET", path.Split('?')[0], Cancelled)).Body);
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task A_damaged_body_is_refused_and_not_stored(string path)
    {
        var body = await FramedAsync(Content);
        Assert.Equal((400, "Crc64Mismatch"), Refusal(await PutAsync(path, Changed(body, 23))));
        Assert.Equal((400, "InvalidInput"), Refusal(await PutAsync(path, Changed(body, 0))));
        Assert.Equal((400, "InvalidInput"), Refusal(await PutAsync(path, body[..^1])));
        Assert.Equal((400, "InvalidInput"), Refusal(await PutAsync(path, [.. body, 0])));
        Assert.Equal((400, "InvalidInput"), Refusal(await PutAsync(path, Encoding.ASCII.GetBytes(Content))));
        Assert.Equal((400, "InvalidInput"), Refusal(await PutAsync(path, body, length: "8")));
        Assert.Equal(404, (await Client.SendAsync("HEAD", path.Split('?')[0], Cancelled)).Status);
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public async Task Headers_that_are_not_understood_are_refused(string path)
    {
        var body = await FramedAsync(Content);
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, kind: "XSM/2.0; properties=crc64")));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, kind: "XSM/1.0; properties=crc64,md5")));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, kind: "XSM/1.0")));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, length: "-9")));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, length: "nine")));
        Assert.Equal((400, "MissingRequiredHeader"), Refusal(await PutAsync(path, body, length: null)));
        Assert.Equal((400, "MissingRequiredHeader"), Refusal(await PutAsync(path, body, kind: null)));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, more: ("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA=="))));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await PutAsync(path, body, more: ("x-ms-content-crc64", "iJh5CoYUi64="))));
    }

    [Fact]
    public async Task The_limit_is_one_of_the_content()
    {
        var largest = new string('x', Limit);
        var inSmallSegments = await FramedAsync(largest, segment: 1);
        Assert.True(inSmallSegments.Length > 10 * Limit);
        Assert.Equal(201, (await PutAsync("/c01/a", inSmallSegments, length: Text(Limit))).Status);
        Assert.Equal((413, "RequestBodyTooLarge"), Refusal(await PutAsync("/c01/b", await FramedAsync(largest + "x"), length: Text(Limit + 1))));
        Assert.Equal((400, "InvalidInput"), Refusal(await PutAsync("/c01/b", await FramedAsync(largest + "x"), length: Text(Limit))));
    }

    [Theory]
    [InlineData("PUT", "/c01/a?comp=blocklist")]
    [InlineData("PUT", "/c01/a?comp=metadata")]
    [InlineData("HEAD", "/c01/a")]
    [InlineData("DELETE", "/c01/a")]
    [InlineData("GET", "/c01?restype=container&comp=list")]
    public async Task Requests_that_carry_no_content_do_not_take_the_header(string method, string path) =>
        Assert.Equal((400, "UnsupportedHeader"), Refusal(await Client.SendAsync(method, path, Cancelled, headers: ("x-ms-structured-body", Kind))));

    [Theory]
    [InlineData(null, 200, Content)]
    [InlineData("bytes=2-4", 206, "345")]
    public async Task A_read_gives_what_it_asks_for_in_a_frame(string? range, int status, string content)
    {
        await Client.SendAsync("PUT", "/c01/a", Cancelled, Content, ("x-ms-blob-type", "BlockBlob"));
        (string, string)[] headers = range is null ? [] : [("x-ms-range", range)];
        var read = await Client.SendAsync("GET", "/c01/a", Cancelled, headers: [("x-ms-structured-body", Kind), .. headers]);

        Assert.Equal((status, Kind, Text(content.Length)), (read.Status, read.Headers["x-ms-structured-body"], read.Headers["x-ms-structured-content-length"]));
        Assert.Equal(Text((await FramedAsync(content, segment: Limit)).Length), read.Headers["Content-Length"]);
        Assert.Contains(content, read.Body, StringComparison.Ordinal);
        Assert.False(read.Headers.ContainsKey("Content-MD5"));
    }

    [Fact]
    public async Task A_read_is_refused_where_its_headers_are_not_understood()
    {
        await Client.SendAsync("PUT", "/c01/a", Cancelled, Content, ("x-ms-blob-type", "BlockBlob"));
        Assert.Equal((400, "InvalidHeaderValue"), await RefusedRead(("x-ms-structured-body", "XSM/1.0")));
        Assert.Equal((400, "UnsupportedHeader"), await RefusedRead(("x-ms-structured-body", Kind), ("x-ms-structured-content-length", "9")));
        Assert.Equal(
            (400, "InvalidHeaderValue"),
            await RefusedRead(("x-ms-structured-body", Kind), ("x-ms-range", "bytes=0-3"), ("x-ms-range-get-content-crc64", "true"))
        );
    }

    private async Task<(int, string?)> RefusedRead(params (string, string)[] headers) =>
        Refusal(await Client.SendAsync("GET", "/c01/a", Cancelled, headers: headers));

    private Task<RawAnswer> PutAsync(string path, byte[] body, string? kind = Kind, string? length = "9", params (string, string)[] more)
    {
        List<(string, string)> headers = [("x-ms-blob-type", "BlockBlob"), .. more];
        if (kind is not null)
        {
            headers.Add(("x-ms-structured-body", kind));
        }

        if (length is not null)
        {
            headers.Add(("x-ms-structured-content-length", length));
        }

        return Client.SendBodyAsync("PUT", path, body, [.. headers], Cancelled);
    }

    private static byte[] Changed(byte[] body, int place)
    {
        byte[] changed = [.. body];
        changed[place] ^= 1;
        return changed;
    }

    private static async Task<byte[]> FramedAsync(string content, int segment = 4)
    {
        using MemoryStream source = new(Encoding.ASCII.GetBytes(content));
        StructuredBodyEncoder encoder = new(source.ReadAsync, source.Length, segment);
        var body = new byte[encoder.Length];
        Assert.Equal(body.Length, await encoder.ReadAsync(body, Cancelled));
        return body;
    }

    private static (int, string?) Refusal(RawAnswer answer) => (answer.Status, answer.Code);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
