using System.Xml.Linq;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The two containers of the service whose names have a dollar sign: the default one, and that of the analytics' logs.</summary>
public sealed class BlobRootTests : IAsyncLifetime
{
    private static readonly (string, string) BlockBlob = ("x-ms-blob-type", "BlockBlob");

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => endpoint = await BlobEndpoint.StartAsync(Cancelled);

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Theory]
    [InlineData("$root")]
    [InlineData("%24root")]
    public async Task The_root_container_is_created_listed_and_deleted_as_others_are(string written)
    {
        Assert.Equal((404, "ContainerNotFound"), await AnswerAsync("GET", $"/{written}?restype=container"));
        Assert.Equal((201, null), await AnswerAsync("PUT", $"/{written}?restype=container"));
        Assert.Equal((409, "ContainerAlreadyExists"), await AnswerAsync("PUT", $"/{written}?restype=container"));
        Assert.Equal(["$root", "c01"], await NamesAsync("/?comp=list"));
        Assert.Equal((202, null), await AnswerAsync("DELETE", $"/{written}?restype=container"));
        Assert.Equal(["c01"], await NamesAsync("/?comp=list"));
    }

    [Fact]
    public async Task A_blob_addressed_without_a_container_is_in_the_root_container()
    {
        Assert.Equal((404, "ContainerNotFound"), await AnswerAsync("PUT", "/pic", BlockBlob));
        await AnswerAsync("PUT", "/$root?restype=container");

        Assert.Equal((201, null), await AnswerAsync("PUT", "/pic", BlockBlob));
        Assert.Equal((200, null), await AnswerAsync("GET", "/$root/pic"));
        Assert.Equal((201, null), await AnswerAsync("PUT", "/$root/other", BlockBlob));
        Assert.Equal((200, null), await AnswerAsync("HEAD", "/other?comp=metadata"));
        Assert.Equal(["other", "pic"], await NamesAsync("/$root?restype=container&comp=list"));
        Assert.Equal((202, null), await AnswerAsync("PUT", "/c01/copy", ("x-ms-copy-source", $"{endpoint!.Service.Endpoint}/pic")));
        Assert.Equal((202, null), await AnswerAsync("DELETE", "/pic"));
        Assert.Equal((404, "BlobNotFound"), await AnswerAsync("GET", "/$root/pic"));

        // A container's name may be a blob's too: the request states which is requested.
        Assert.Equal((404, "BlobNotFound"), await AnswerAsync("GET", "/c01"));
        Assert.Equal((200, null), await AnswerAsync("GET", "/c01?restype=container"));
        Assert.Equal((400, "InvalidUri"), await AnswerAsync("GET", "/c01/"));
    }

    [Theory]
    [InlineData("/$root/a/b")]
    [InlineData("/$root/a%2Fb")]
    [InlineData("/$root/a%5Cb")]
    [InlineData("/a%2Fb")]
    public async Task Names_in_the_root_container_have_no_slash(string path)
    {
        await AnswerAsync("PUT", "/$root?restype=container");

        Assert.Equal((400, "InvalidResourceName"), await AnswerAsync("PUT", path, BlockBlob));
        Assert.Equal((400, "InvalidResourceName"), await AnswerAsync("GET", path));
    }

    [Fact]
    public async Task The_root_container_may_be_named_at_the_start()
    {
        await using var named = await BlobEndpoint.StartAsync(Cancelled, static options => options with { Containers = ["$root"] });

        Assert.Equal(201, (await named.Client.SendAsync("PUT", "/pic", Cancelled, "x", BlockBlob)).Status);
    }

    [Fact]
    public async Task The_container_of_logs_does_not_exist_and_cannot_be_created()
    {
        Assert.Equal((403, "InsufficientAccountPermissions"), await AnswerAsync("PUT", "/$logs?restype=container"));
        Assert.Equal((404, "ContainerNotFound"), await AnswerAsync("GET", "/$logs?restype=container"));
        Assert.Equal((404, "ContainerNotFound"), await AnswerAsync("GET", "/$logs?restype=container&comp=list"));
        Assert.Equal((404, "ContainerNotFound"), await AnswerAsync("PUT", "/$logs/blob/2026/a.log", BlockBlob));
        Assert.Equal((404, "ContainerNotFound"), await AnswerAsync("DELETE", "/$logs?restype=container"));
        Assert.Equal(["c01"], await NamesAsync("/?comp=list&include=system"));
        Assert.False(BlobNames.IsContainer("$logs"));
    }

    [Theory]
    [InlineData("$web")]
    [InlineData("$Root")]
    [InlineData("$root1")]
    [InlineData("$")]
    [InlineData("a$b")]
    public async Task Other_names_with_a_dollar_sign_are_refused(string name)
    {
        var code = name.Length < 3 ? "OutOfRangeInput" : "InvalidResourceName";
        Assert.Equal((400, code), await AnswerAsync("PUT", $"/{name}?restype=container"));
        Assert.Equal((400, code), await AnswerAsync("GET", $"/{name}/a"));
    }

    private async Task<(int, string?)> AnswerAsync(string method, string path, params (string, string)[] headers)
    {
        var answer = await endpoint!.Client.SendAsync(method, path, Cancelled, headers: headers);
        return (answer.Status, answer.Code);
    }

    private async Task<string[]> NamesAsync(string path) =>
        [.. XElement.Parse((await endpoint!.Client.SendAsync("GET", path, Cancelled)).Body).Descendants("Name").Select(static name => name.Value)];
}
