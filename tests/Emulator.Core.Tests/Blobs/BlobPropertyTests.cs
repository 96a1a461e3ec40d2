using System.Xml.Linq;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>What answers and lists report of a blob beside its stored content.</summary>
public sealed class BlobPropertyTests : IAsyncLifetime
{
    private static readonly (string, string) BlockBlob = ("x-ms-blob-type", "BlockBlob");

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync()
    {
        endpoint = await BlobEndpoint.StartAsync(Cancelled);
        await Client.SendAsync("PUT", "/c01/a", Cancelled, "one", BlockBlob, ("x-ms-blob-content-type", "text/x"));
    }

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task Properties_set_without_a_content_type_have_none()
    {
        await Client.SendAsync("PUT", "/c01/a?comp=properties", Cancelled, headers: ("x-ms-blob-cache-control", "max-age=1"));

        foreach (var method in new[] { "GET", "HEAD" })
        {
            var read = await Client.SendAsync(method, "/c01/a", Cancelled);
            Assert.Equal((200, "max-age=1"), (read.Status, read.Headers["Cache-Control"]));
            Assert.False(read.Headers.ContainsKey("Content-Type"));
        }

        Assert.Equal(string.Empty, (await ListedAsync()).Element("Content-Type")!.Value);
    }

    [Fact]
    public async Task Only_setting_the_properties_empties_the_content_type()
    {
        await Client.SendAsync("PUT", "/c01/b", Cancelled, "x", BlockBlob);
        await Client.SendAsync("PUT", "/c01/c?comp=blocklist", Cancelled, "<BlockList />");
        foreach (var path in new[] { "/c01/b", "/c01/c" })
        {
            Assert.Equal("application/octet-stream", (await Client.SendAsync("HEAD", path, Cancelled)).Headers["Content-Type"]);
        }

        await Client.SendAsync("PUT", "/c01/a?comp=properties", Cancelled);
        var source = ("x-ms-copy-source", $"{endpoint!.Service.Endpoint}/c01/a");
        await Client.SendAsync("PUT", "/c01/d", Cancelled, headers: source);
        await Client.SendAsync("PUT", "/c01/e", Cancelled, headers: [source, BlockBlob]);
        await Client.SendAsync("PUT", "/c01/f", Cancelled, headers: [source, BlockBlob, ("x-ms-copy-source-blob-properties", "false")]);
        Assert.False((await Client.SendAsync("HEAD", "/c01/d", Cancelled)).Headers.ContainsKey("Content-Type"));
        Assert.False((await Client.SendAsync("HEAD", "/c01/e", Cancelled)).Headers.ContainsKey("Content-Type"));
        Assert.Equal("application/octet-stream", (await Client.SendAsync("HEAD", "/c01/f", Cancelled)).Headers["Content-Type"]);
    }

    [Fact]
    public async Task The_access_tier_is_that_of_the_account()
    {
        var properties = await Client.SendAsync("HEAD", "/c01/a", Cancelled);
        Assert.Equal(
            ("Hot", "true"),
            (properties.Headers.GetValueOrDefault("x-ms-access-tier"), properties.Headers.GetValueOrDefault("x-ms-access-tier-inferred"))
        );

        var listed = await ListedAsync();
        Assert.Equal(("Hot", "true"), (listed.Element("AccessTier")?.Value, listed.Element("AccessTierInferred")?.Value));
    }

    private async Task<XElement> ListedAsync() =>
        XElement.Parse((await Client.SendAsync("GET", "/c01?restype=container&comp=list&prefix=a", Cancelled)).Body).Descendants("Properties").Single();
}
