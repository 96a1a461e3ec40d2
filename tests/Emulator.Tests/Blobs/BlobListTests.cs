using System.Xml.Linq;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Blobs;

/// <summary>Lists are held in memory as little as anything else, whatever is in them.</summary>
public sealed class BlobListTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Ends_a_page_that_becomes_large_and_goes_on_with_the_next()
    {
        await using var service = await BlobService.StartAsync(
            new BlobServiceOptions
            {
                Key = [1],
                Containers = ["c01"],
                AllowAnonymous = true,
            },
            Cancelled
        );
        using PlainBlobClient client = new(service);
        const int Blobs = 200;
        for (var i = 0; i < Blobs; i++)
        {
            Assert.Equal(201, (await client.PutAsync($"b{i:000}", [], Cancelled, ("x-ms-blob-content-type", new string('&', 28_000)))).Status);
        }

        List<string> names = [];
        List<int> pages = [];
        for (var marker = string.Empty; marker.Length > 0 || pages.Count == 0; )
        {
            var page = await client.SendAsync("GET", "/c01?restype=container&comp=list&marker=" + Uri.EscapeDataString(marker), body: null, Cancelled);
            Assert.Equal("chunked", page.Headers["Transfer-Encoding"]);
            var list = XElement.Parse(page.Body);
            string[] found = [.. list.Descendants("Name").Select(static name => name.Value)];
            names.AddRange(found);
            pages.Add(found.Length);
            marker = list.Element("NextMarker")!.Value;
        }

        Assert.Equal(Enumerable.Range(0, Blobs).Select(static number => $"b{number:000}"), names);
        Assert.Equal(2, pages.Count);
        Assert.InRange(pages[0], 100, 160);
    }

    [Fact]
    public async Task A_list_of_one_step_tells_its_length()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        var list = await endpoint.Client.SendAsync("GET", "/c01?restype=container&comp=list", Cancelled);

        Assert.Equal($"{list.Body.Length}", list.Headers["Content-Length"]);
    }

    [Theory]
    [InlineData("/c01?restype=container&comp=list")]
    [InlineData("/?comp=list")]
    public async Task The_last_page_has_an_empty_element_for_the_next(string list)
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        var page = await endpoint.Client.SendAsync("GET", list, Cancelled);

        Assert.Contains("<NextMarker />", page.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_with_a_carriage_return_comes_back_as_it_was()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/a%0Db", Cancelled, headers: ("x-ms-blob-type", "BlockBlob"))).Status);
        var list = await endpoint.Client.SendAsync("GET", "/c01?restype=container&comp=list", Cancelled);

        Assert.Equal("a\rb", XElement.Parse(list.Body).Descendants("Name").Single().Value);
    }
}
