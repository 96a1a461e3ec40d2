using System.Globalization;
using System.Xml.Linq;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Names that the service takes as they are, changes, shows in another form, or refuses.</summary>
public sealed class BlobNameTests : IAsyncLifetime
{
    private static readonly (string, string) BlockBlob = ("x-ms-blob-type", "BlockBlob");

    private BlobEndpoint? endpoint;

    /// <summary>Requests that name a blob.</summary>
    public static TheoryData<string, string> OperationsOfBlobs { get; } =
        new()
        {
            { "PUT", string.Empty },
            { "PUT", "?comp=block&blockid=AAAA" },
            { "PUT", "?comp=blocklist" },
            { "PUT", "?comp=metadata" },
            { "PUT", "?comp=properties" },
            { "PUT", "?comp=lease" },
            { "GET", string.Empty },
            { "HEAD", string.Empty },
            { "GET", "?comp=metadata" },
            { "GET", "?comp=blocklist" },
            { "DELETE", string.Empty },
        };

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync() => endpoint = await BlobEndpoint.StartAsync(Cancelled);

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task A_backslash_of_a_name_becomes_a_slash()
    {
        await Client.SendAsync("PUT", "/c01/folder%5Cone%5C%2Ftwo", Cancelled, "x", BlockBlob);

        Assert.Equal(["folder/one//two"], await NamesAsync(string.Empty));
        foreach (var path in new[] { "/c01/folder%5Cone%5C%5Ctwo", "/c01/folder/one//two" })
        {
            Assert.Equal((200, "x"), (await Client.SendAsync("GET", path, Cancelled) is var answer ? answer.Status : 0, answer.Body));
        }

        var copy = await Client.SendAsync(
            "PUT",
            "/c01/copy",
            Cancelled,
            headers: ("x-ms-copy-source", $"{endpoint!.Service.Endpoint}/c01/folder%5Cone%5C%5Ctwo")
        );
        Assert.Equal(202, copy.Status);
    }

    [Theory]
    [InlineData('\ufffe')]
    [InlineData('\uffff')]
    public async Task Names_with_characters_that_XML_has_no_form_for_are_listed_percent_encoded(char odd)
    {
        var name = $"a/{odd} b";
        await Client.SendAsync("PUT", "/c01/" + Uri.EscapeDataString(name), Cancelled, "x", BlockBlob);
        await Client.SendAsync("PUT", "/c01/plain%20name", Cancelled, "x", BlockBlob);

        Assert.Equal((200, "x"), (await Client.SendAsync("GET", "/c01/" + Uri.EscapeDataString(name), Cancelled) is var read ? read.Status : 0, read.Body));
        XElement[] names = [.. (await ListAsync(string.Empty)).Descendants("Name")];
        Assert.Equal(["true", null], names.Select(static element => (string?)element.Attribute("Encoded")));
        Assert.Equal([name, "plain name"], [Uri.UnescapeDataString(names[0].Value), names[1].Value]);

        // A common prefix is a name like another, and what was asked for comes back as far as XML can show it.
        var folders = await ListAsync($"&delimiter={Uri.EscapeDataString(odd.ToString())}&prefix=a");
        Assert.Equal(
            ("true", $"a/{odd}"),
            ((string?)folders.Descendants("Name").Single().Attribute("Encoded"), Uri.UnescapeDataString(folders.Descendants("Name").Single().Value))
        );
        var prefixed = await ListAsync($"&prefix={Uri.EscapeDataString($"a/{odd}")}");
        Assert.Equal([name], prefixed.Descendants("Name").Select(static element => Uri.UnescapeDataString(element.Value)));
    }

    [Fact]
    public async Task A_folder_is_listed_once_for_any_first_characters_of_its_names()
    {
        string[] names = ["a/\uffff", "a/\uffff\uffff1", "a/1", "a0", "\uffff/1", "\uffff/\uffff", "\uffff\uffff"];
        foreach (var name in names)
        {
            Assert.Equal(201, (await Client.SendAsync("PUT", "/c01/" + Uri.EscapeDataString(name), Cancelled, string.Empty, BlockBlob)).Status);
        }

        Assert.Equal(["a/", "a0", "\uffff/", "\uffff\uffff"], await NamesAsync("&delimiter=%2F"));
        Assert.Equal(["a/1", "a/\uffff", "a0", "\uffff"], await NamesAsync("&delimiter=" + Uri.EscapeDataString("\uffff")));
        List<string> paged = [];
        for (var marker = string.Empty; marker.Length > 0 || paged.Count == 0; )
        {
            var page = await ListAsync("&delimiter=%2F&maxresults=1&marker=" + Uri.EscapeDataString(marker));
            paged.AddRange(page.Descendants("Name").Select(static element => Uri.UnescapeDataString(element.Value)));
            marker = page.Element("NextMarker")!.Value;
        }

        Assert.Equal(["a/", "a0", "\uffff/", "\uffff\uffff"], paged);
    }

    [Theory]
    [InlineData(2, "OutOfRangeInput")]
    [InlineData(64, "OutOfRangeInput")]
    [InlineData(3, "ContainerNotFound")]
    [InlineData(63, "ContainerNotFound")]
    public async Task The_length_of_a_containers_name_has_its_own_refusal(int length, string code)
    {
        string name = new('n', length);
        foreach (var path in new[] { $"/{name}?restype=container", $"/{name}?restype=container&comp=list", $"/{name}/a" })
        {
            Assert.Equal(code, (await Client.SendAsync("GET", path, Cancelled)).Code);
        }

        Assert.Equal(code == "ContainerNotFound" ? null : code, (await Client.SendAsync("PUT", $"/{name}?restype=container", Cancelled)).Code);
    }

    [Theory]
    [MemberData(nameof(OperationsOfBlobs))]
    public async Task The_length_of_a_blobs_name_has_its_own_refusal(string method, string query)
    {
        string longest = new('n', 1_024);
        Assert.Equal(
            (400, "OutOfRangeInput"),
            (await Client.SendAsync(method, $"/c01/{longest}n{query}", Cancelled, headers: BlockBlob) is var answer ? answer.Status : 0, answer.Code)
        );
        Assert.NotEqual("OutOfRangeInput", (await Client.SendAsync(method, $"/c01/{longest}{query}", Cancelled, headers: BlockBlob)).Code);
    }

    private async Task<string[]> NamesAsync(string query) =>
        [
            .. (await ListAsync(query))
                .Descendants("Name")
                .Select(static name => (string?)name.Attribute("Encoded") == "true" ? Uri.UnescapeDataString(name.Value) : name.Value),
        ];

    private async Task<XElement> ListAsync(string query) =>
        XElement.Parse(
            (await Client.SendAsync("GET", string.Create(CultureInfo.InvariantCulture, $"/c01?restype=container&comp=list{query}"), Cancelled)).Body
        );
}
