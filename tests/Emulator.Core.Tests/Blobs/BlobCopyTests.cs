using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Copies within the account, in the service's three forms. Nothing is fetched from elsewhere.</summary>
public sealed class BlobCopyTests : IAsyncLifetime
{
    private static readonly (string, string) BlockBlob = ("x-ms-blob-type", "BlockBlob");

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync()
    {
        endpoint = await BlobEndpoint.StartAsync(Cancelled);
        await Client.SendAsync("PUT", "/c01/from", Cancelled, "0123456789", BlockBlob, ("x-ms-meta-k", "v"), ("x-ms-blob-content-type", "text/x"));
    }

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Copies_a_blob_with_all_that_belongs_to_it(bool sync)
    {
        var copied = await CopyAsync("to", sync ? [("x-ms-requires-sync", "true")] : []);
        Assert.Equal((202, "success"), (copied.Status, copied.Headers["x-ms-copy-status"]));

        var read = await Client.SendAsync("GET", "/c01/to", Cancelled);
        Assert.Equal(("0123456789", "v", "text/x"), (read.Body, read.Headers["x-ms-meta-k"], read.Headers["Content-Type"]));
        Assert.Equal(
            (copied.Headers["x-ms-copy-id"], "success", "10/10", Source("from")),
            (read.Headers["x-ms-copy-id"], read.Headers["x-ms-copy-status"], read.Headers["x-ms-copy-progress"], read.Headers["x-ms-copy-source"])
        );
        var list = (await Client.SendAsync("GET", "/c01?restype=container&comp=list&include=copy", Cancelled)).Body;
        Assert.Contains($"<CopyId>{read.Headers["x-ms-copy-id"]}</CopyId><CopyStatus>success</CopyStatus>", list, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Takes_metadata_of_the_request_instead_of_the_source()
    {
        await CopyAsync("to", ("x-ms-meta-other", "w"));
        var read = await Client.SendAsync("HEAD", "/c01/to", Cancelled);

        Assert.Equal("w", read.Headers["x-ms-meta-other"]);
        Assert.False(read.Headers.ContainsKey("x-ms-meta-k"));
    }

    [Fact]
    public async Task Keeps_the_committed_blocks()
    {
        await Client.SendAsync("PUT", "/c01/from?comp=block&blockid=AAAA", Cancelled, "one");
        await Client.SendAsync("PUT", "/c01/from?comp=block&blockid=BBBB", Cancelled, "two");
        await Client.SendAsync("PUT", "/c01/from?comp=blocklist", Cancelled, "<BlockList><Latest>AAAA</Latest><Latest>BBBB</Latest></BlockList>");
        await CopyAsync("to");

        Assert.Contains(
            "<Block><Name>AAAA</Name><Size>3</Size></Block><Block><Name>BBBB</Name><Size>3</Size></Block>",
            (await Client.SendAsync("GET", "/c01/to?comp=blocklist", Cancelled)).Body,
            StringComparison.Ordinal
        );
        Assert.Equal("onetwo", (await Client.SendAsync("GET", "/c01/to", Cancelled)).Body);
    }

    [Fact]
    public async Task Makes_blobs_and_blocks_of_the_content_of_others()
    {
        var put = await Client.SendAsync("PUT", "/c01/to", Cancelled, headers: [BlockBlob, ("x-ms-copy-source", Source("from"))]);
        Assert.Equal(201, put.Status);
        var read = await Client.SendAsync("GET", "/c01/to", Cancelled);
        Assert.Equal(("0123456789", "text/x"), (read.Body, read.Headers["Content-Type"]));
        Assert.False(read.Headers.ContainsKey("x-ms-meta-k") || read.Headers.ContainsKey("x-ms-copy-id"));

        foreach ((var id, var range) in new[] { ("AAAA", "bytes=5-"), ("BBBB", "bytes=0-1") })
        {
            Assert.Equal(
                201,
                (
                    await Client.SendAsync(
                        "PUT",
                        $"/c01/parts?comp=block&blockid={id}",
                        Cancelled,
                        headers: [("x-ms-copy-source", Source("from")), ("x-ms-source-range", range)]
                    )
                ).Status
            );
        }

        await Client.SendAsync("PUT", "/c01/parts?comp=blocklist", Cancelled, "<BlockList><Latest>AAAA</Latest><Latest>BBBB</Latest></BlockList>");
        Assert.Equal("5678901", (await Client.SendAsync("GET", "/c01/parts", Cancelled)).Body);
        var behind = await Client.SendAsync(
            "PUT",
            "/c01/parts?comp=block&blockid=CCCC",
            Cancelled,
            headers: [("x-ms-copy-source", Source("from")), ("x-ms-source-range", "bytes=10-")]
        );
        Assert.Equal((416, "InvalidRange"), (behind.Status, behind.Code));
    }

    [Theory]
    [InlineData("http://127.0.0.1:1/devstoreaccount1/c01/from", 403, "CannotVerifyCopySource")]
    [InlineData("https://other.example/c01/from", 403, "CannotVerifyCopySource")]
    [InlineData("{0}/other/c01/from", 403, "CannotVerifyCopySource")]
    [InlineData("{0}/devstoreaccount1/c01", 404, "CannotVerifyCopySource")]
    [InlineData("{0}/devstoreaccount1/c01/absent", 404, "CannotVerifyCopySource")]
    [InlineData("{0}/devstoreaccount1/absent/from", 404, "CannotVerifyCopySource")]
    [InlineData("{0}/devstoreaccount1/c01/from?sv=2025-05-05&sr=b&sp=r&se=2030-01-01&sig=AAAA", 403, "CannotVerifyCopySource")]
    [InlineData("{0}/devstoreaccount1/c01/from?snapshot=2026", 501, "NotImplemented")]
    [InlineData("http://user:secret@127.0.0.1:{1}/devstoreaccount1/c01/from", 400, "InvalidHeaderValue")]
    [InlineData("file:///etc/hostname", 400, "InvalidHeaderValue")]
    [InlineData("from", 400, "InvalidHeaderValue")]
    [InlineData("", 400, "InvalidHeaderValue")]
    public async Task Refuses_sources_that_it_cannot_read(string source, int status, string code)
    {
        var address = source
            .Replace("{0}", $"http://127.0.0.1:{endpoint!.Service.Port}", StringComparison.Ordinal)
            .Replace("{1}", $"{endpoint.Service.Port}", StringComparison.Ordinal);
        var answer = await Client.SendAsync("PUT", "/c01/to", Cancelled, headers: ("x-ms-copy-source", address));

        Assert.Equal((status, code), (answer.Status, answer.Code));
        Assert.Equal(404, (await Client.SendAsync("HEAD", "/c01/to", Cancelled)).Status);
    }

    [Fact]
    public async Task Holds_to_conditions_on_both_ends()
    {
        var etag = (await Client.SendAsync("HEAD", "/c01/from", Cancelled)).Headers["ETag"];
        var source = await CopyAsync("to", ("x-ms-source-if-match", "\"0x0\""));
        Assert.Equal((412, "SourceConditionNotMet"), (source.Status, source.Code));
        Assert.Equal(202, (await CopyAsync("to", ("x-ms-source-if-match", etag), ("If-None-Match", "*"))).Status);
        var target = await CopyAsync("to", ("If-None-Match", "*"));
        Assert.Equal((409, "BlobAlreadyExists"), (target.Status, target.Code));

        foreach (var form in new[] { new[] { BlockBlob }, [("x-ms-requires-sync", "true")], [] })
        {
            var changed = await CopyAsync("to", [("If-Match", "\"0x0\""), .. form]);
            Assert.Equal((412, "TargetConditionNotMet"), (changed.Status, changed.Code));
        }
    }

    [Fact]
    public async Task Is_written_down_like_an_upload()
    {
        var path = Path.GetTempFileName();
        try
        {
            File.Delete(path);
            await using (var journal = JournalWriter.Open(path))
            await using (var recorded = await BlobEndpoint.StartAsync(Cancelled, options => options with { Journal = journal }))
            {
                await recorded.Client.SendAsync("PUT", "/c01/from", Cancelled, "abc", BlockBlob);
                await recorded.Client.SendAsync("PUT", "/c01/to", Cancelled, headers: ("x-ms-copy-source", $"{recorded.Service.Endpoint}/c01/from"));
            }

            BlobWritten[] copies = [.. JournalReader.Read(path).OfType<BlobWritten>().Where(static blob => blob.Name == "to")];
            Assert.Equal([WriteMoment.Begun, WriteMoment.Stored], copies.Select(static blob => blob.Moment));
            Assert.All(copies, static blob => Assert.Equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", blob.Sha256));
        }
        finally
        {
            File.Delete(path);
        }
    }

    private string Source(string name) => $"{endpoint!.Service.Endpoint}/c01/{name}";

    private Task<RawAnswer> CopyAsync(string name, params (string, string)[] headers) =>
        Client.SendAsync("PUT", $"/c01/{name}", Cancelled, headers: [("x-ms-copy-source", Source("from")), .. headers]);
}
