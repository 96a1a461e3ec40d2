using System.Xml.Linq;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Leases over the wire: statuses, headers, lists, and that every write asks for them.</summary>
public sealed class BlobLeaseTests : IAsyncLifetime
{
    private const string Id = "11111111-1111-1111-1111-111111111111";
    private const string Other = "22222222-2222-2222-2222-222222222222";

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync()
    {
        endpoint = await BlobEndpoint.StartAsync(Cancelled);
        await PutAsync();
    }

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task Lives_through_a_lease_from_acquire_to_break()
    {
        var etag = (await Client.SendAsync("HEAD", "/c01/a", Cancelled)).Headers["ETag"];
        var acquired = await LeaseAsync("acquire", ("x-ms-lease-duration", "15"), ("x-ms-proposed-lease-id", Id));
        Assert.Equal((201, Id, etag), (acquired.Status, acquired.Headers["x-ms-lease-id"], acquired.Headers["ETag"]));
        Assert.Equal(("leased", "locked", "fixed"), await StateAsync());

        endpoint!.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(200, (await LeaseAsync("renew", ("x-ms-lease-id", Id))).Status);
        endpoint.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(("leased", "locked", "fixed"), await StateAsync());

        var changed = await LeaseAsync("change", ("x-ms-lease-id", Id), ("x-ms-proposed-lease-id", Other));
        Assert.Equal((200, Other), (changed.Status, changed.Headers["x-ms-lease-id"]));
        var breaking = await LeaseAsync("break");
        Assert.Equal((202, "5"), (breaking.Status, breaking.Headers["x-ms-lease-time"]));
        Assert.Equal(("breaking", "locked", null), await StateAsync());
        endpoint.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(("broken", "unlocked", null), await StateAsync());
        Assert.Equal(201, (await PutAsync()).Status);
        Assert.Equal(("available", "unlocked", null), await StateAsync());
    }

    [Fact]
    public async Task An_expired_lease_is_forgotten_after_the_next_write()
    {
        await LeaseAsync("acquire", ("x-ms-lease-duration", "15"), ("x-ms-proposed-lease-id", Id));
        endpoint!.Clock.Advance(TimeSpan.FromSeconds(15));
        Assert.Equal(("expired", "unlocked", null), await StateAsync());
        Assert.Equal((412, "LeaseLost"), Refusal(await PutAsync(("x-ms-lease-id", Id))));
        Assert.Equal(200, (await LeaseAsync("renew", ("x-ms-lease-id", Id))).Status);
        endpoint.Clock.Advance(TimeSpan.FromSeconds(15));
        await PutAsync();
        Assert.Equal((409, "LeaseIdMismatchWithLeaseOperation"), Refusal(await LeaseAsync("renew", ("x-ms-lease-id", Id))));
    }

    [Theory]
    [InlineData("PUT", "/c01/a", "x")]
    [InlineData("PUT", "/c01/a?comp=metadata", "")]
    [InlineData("PUT", "/c01/a?comp=properties", "")]
    [InlineData("PUT", "/c01/a?comp=block&blockid=AAAA", "x")]
    [InlineData("PUT", "/c01/a?comp=blocklist", "<BlockList/>")]
    [InlineData("DELETE", "/c01/a", "")]
    public async Task Asks_every_write_for_the_lease(string method, string path, string body)
    {
        await LeaseAsync("acquire", ("x-ms-lease-duration", "-1"), ("x-ms-proposed-lease-id", Id));
        var type = ("x-ms-blob-type", "BlockBlob");

        Assert.Equal((412, "LeaseIdMissing"), Refusal(await Client.SendAsync(method, path, Cancelled, body, type)));
        Assert.Equal((412, "LeaseIdMismatchWithBlobOperation"), Refusal(await Client.SendAsync(method, path, Cancelled, body, type, ("x-ms-lease-id", Other))));
        Assert.Equal((400, "InvalidHeaderValue"), Refusal(await Client.SendAsync(method, path, Cancelled, body, type, ("x-ms-lease-id", "mine"))));
        Assert.Equal("x", (await Client.SendAsync("GET", "/c01/a", Cancelled)).Body);
        Assert.InRange((await Client.SendAsync(method, path, Cancelled, body, type, ("x-ms-lease-id", Id.ToUpperInvariant()))).Status, 200, 202);
    }

    [Fact]
    public async Task Reads_need_no_lease_but_a_named_one_must_be_right()
    {
        Assert.Equal((412, "LeaseNotPresentWithBlobOperation"), Refusal(await Client.SendAsync("GET", "/c01/a", Cancelled, headers: ("x-ms-lease-id", Id))));
        await LeaseAsync("acquire", ("x-ms-lease-duration", "-1"), ("x-ms-proposed-lease-id", Id));

        Assert.Equal(200, (await Client.SendAsync("GET", "/c01/a", Cancelled)).Status);
        Assert.Equal(200, (await Client.SendAsync("GET", "/c01/a", Cancelled, headers: ("x-ms-lease-id", Id))).Status);
        Assert.Equal((412, "LeaseIdMismatchWithBlobOperation"), Refusal(await Client.SendAsync("GET", "/c01/a", Cancelled, headers: ("x-ms-lease-id", Other))));
    }

    [Theory]
    [InlineData(null, null, null, 400, "MissingRequiredHeader")]
    [InlineData("borrow", null, null, 400, "InvalidHeaderValue")]
    [InlineData("acquire", null, null, 400, "MissingRequiredHeader")]
    [InlineData("acquire", "x-ms-lease-duration", "14", 400, "InvalidHeaderValue")]
    [InlineData("acquire", "x-ms-lease-duration", "61", 400, "InvalidHeaderValue")]
    [InlineData("acquire", "x-ms-lease-duration", "-2", 400, "InvalidHeaderValue")]
    [InlineData("acquire", "x-ms-lease-duration", "for ever", 400, "InvalidHeaderValue")]
    [InlineData("renew", null, null, 400, "MissingRequiredHeader")]
    [InlineData("release", "x-ms-lease-id", "mine", 400, "InvalidHeaderValue")]
    [InlineData("change", "x-ms-lease-id", Id, 400, "MissingRequiredHeader")]
    [InlineData("break", "x-ms-lease-break-period", "61", 400, "InvalidHeaderValue")]
    [InlineData("break", "x-ms-lease-break-period", "-1", 400, "InvalidHeaderValue")]
    public async Task Refuses_lease_requests_that_are_none(string? action, string? header, string? value, int status, string code)
    {
        List<(string, string)> headers = [];
        if (action is not null)
        {
            headers.Add(("x-ms-lease-action", action));
        }

        if (header is not null)
        {
            headers.Add((header, value!));
        }

        Assert.Equal((status, code), Refusal(await Client.SendAsync("PUT", "/c01/a?comp=lease", Cancelled, headers: [.. headers])));
    }

    [Fact]
    public async Task A_lease_identifier_is_recognised_in_every_spelling()
    {
        Assert.Equal(
            201,
            (
                await LeaseAsync("acquire", ("x-ms-lease-duration", "-1"), ("x-ms-proposed-lease-id", Id.Replace("-", string.Empty, StringComparison.Ordinal)))
            ).Status
        );

        Assert.Equal(201, (await PutAsync(("x-ms-lease-id", Id))).Status);
        Assert.Equal(201, (await PutAsync(("x-ms-lease-id", $"{{{Id}}}"))).Status);
        Assert.Equal(200, (await LeaseAsync("release", ("x-ms-lease-id", Id))).Status);
    }

    [Fact]
    public async Task Guards_a_container_against_deleting_only()
    {
        var acquired = await Client.SendAsync(
            "PUT",
            "/c01?restype=container&comp=lease",
            Cancelled,
            headers: [("x-ms-lease-action", "acquire"), ("x-ms-lease-duration", "-1"), ("x-ms-proposed-lease-id", Id)]
        );
        Assert.Equal((201, Id), (acquired.Status, acquired.Headers["x-ms-lease-id"]));

        Assert.Equal(201, (await PutAsync()).Status);
        Assert.Equal((412, "LeaseIdMissing"), Refusal(await Client.SendAsync("DELETE", "/c01?restype=container", Cancelled)));
        Assert.Equal(
            (412, "LeaseIdMismatchWithContainerOperation"),
            Refusal(await Client.SendAsync("DELETE", "/c01?restype=container", Cancelled, headers: ("x-ms-lease-id", Other)))
        );
        Assert.Equal("leased", (await Client.SendAsync("HEAD", "/c01?restype=container", Cancelled)).Headers["x-ms-lease-state"]);
        Assert.Equal(202, (await Client.SendAsync("DELETE", "/c01?restype=container", Cancelled, headers: ("x-ms-lease-id", Id))).Status);
    }

    [Fact]
    public async Task Shows_leases_in_lists()
    {
        await LeaseAsync("acquire", ("x-ms-lease-duration", "15"));
        var properties = XElement.Parse((await Client.SendAsync("GET", "/c01?restype=container&comp=list", Cancelled)).Body).Descendants("Properties").Single();

        Assert.Equal(
            ("locked", "leased", "fixed"),
            (properties.Element("LeaseStatus")!.Value, properties.Element("LeaseState")!.Value, properties.Element("LeaseDuration")!.Value)
        );
    }

    private static (int, string?) Refusal(RawAnswer answer) => (answer.Status, answer.Code);

    private Task<RawAnswer> PutAsync(params (string, string)[] headers) =>
        Client.SendAsync("PUT", "/c01/a", Cancelled, "x", [("x-ms-blob-type", "BlockBlob"), .. headers]);

    private Task<RawAnswer> LeaseAsync(string action, params (string, string)[] headers) =>
        Client.SendAsync("PUT", "/c01/a?comp=lease", Cancelled, headers: [("x-ms-lease-action", action), .. headers]);

    private async Task<(string, string, string?)> StateAsync()
    {
        var answer = await Client.SendAsync("HEAD", "/c01/a", Cancelled);
        return (answer.Headers["x-ms-lease-state"], answer.Headers["x-ms-lease-status"], answer.Headers.GetValueOrDefault("x-ms-lease-duration"));
    }
}
