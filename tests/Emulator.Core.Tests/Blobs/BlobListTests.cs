using System.Xml.Linq;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Lists use as little memory as other answers, with any content.</summary>
public sealed class BlobListTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_large_page_of_a_list_ends_early_and_the_next_page_continues_it()
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
    public async Task A_list_of_one_page_has_a_Content_Length()
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

    // The names from startFrom on, before endBefore, and of these a page.
    [Theory]
    [InlineData("startFrom=b", "b b/1 b/2 c d")]
    [InlineData("startFrom=b%2F2", "b/2 c d")]
    [InlineData("endBefore=c", "a b b/1 b/2")]
    [InlineData("startFrom=b%2F1&endBefore=c", "b/1 b/2")]
    [InlineData("startFrom=b&prefix=b%2F&endBefore=b%2F2", "b/1")]
    [InlineData("startFrom=b%2F2&delimiter=%2F", "b/ c d")]
    [InlineData("startFrom=c&endBefore=b", "")]
    public async Task A_list_may_begin_and_end_at_a_name(string query, string expected)
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        foreach (var name in (string[])["a", "b", "b/1", "b/2", "c", "d"])
        {
            var path = $"/c01/{name}";
            Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", path, Cancelled, headers: ("x-ms-blob-type", "BlockBlob"))).Status);
        }

        foreach (var size in (int[])[1, 5_000])
        {
            List<string> names = [];
            var marker = string.Empty;
            do
            {
                var page = await endpoint.Client.SendAsync(
                    "GET",
                    $"/c01?restype=container&comp=list&{query}&maxresults={size}&marker={Uri.EscapeDataString(marker)}",
                    Cancelled
                );
                Assert.Equal(200, page.Status);
                var list = XElement.Parse(page.Body[page.Body.IndexOf('<', StringComparison.Ordinal)..]);
                names.AddRange(list.Descendants("Name").Select(static name => name.Value));
                marker = list.Element("NextMarker")!.Value;
            } while (marker.Length > 0);

            Assert.Equal(expected, string.Join(' ', names));
        }
    }

    [Fact]
    public async Task A_list_in_another_format_than_xml_is_refused()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        const string List = "/c01?restype=container&comp=list";
        Assert.Equal(501, (await endpoint.Client.SendAsync("GET", List, Cancelled, headers: ("Accept", "application/vnd.apache.arrow.stream"))).Status);
        var both = ("Accept", "application/vnd.apache.arrow.stream,application/xml");
        Assert.Equal(200, (await endpoint.Client.SendAsync("GET", List, Cancelled, headers: both)).Status);
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
