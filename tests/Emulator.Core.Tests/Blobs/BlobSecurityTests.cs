using System.Globalization;
using System.Text;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Storage;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

public sealed class BlobSecurityTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Refuses_a_wrong_key_without_saying_what_is_there()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);

        foreach (var path in new[] { "/c01/absent", "/c01?restype=container", "/nothing?restype=container&comp=list", "/?comp=list" })
        {
            var answer = await endpoint.Stranger.SendAsync("GET", path, Cancelled);

            Assert.Equal((403, "AuthenticationFailed"), (answer.Status, answer.Code));
            Assert.Contains("<Error><Code>AuthenticationFailed</Code>", answer.Body, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("SharedKey devstoreaccount1:")]
    [InlineData("SharedKey devstoreaccount1:AAAA")]
    [InlineData("SharedKey other:AAAA")]
    [InlineData("SharedKey")]
    [InlineData("SharedKeyLite devstoreaccount1:AAAA")]
    [InlineData("Bearer AAAA")]
    public async Task Refuses_requests_without_a_good_signature(string? authorization)
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        List<KeyValuePair<string, string>> headers = [new("x-ms-date", Date(endpoint.Clock.GetUtcNow()))];
        if (authorization is not null)
        {
            headers.Add(new("Authorization", authorization));
        }

        var answer = await endpoint.Client.SendUnsignedAsync("GET", "/devstoreaccount1/c01?restype=container", headers, string.Empty, Cancelled);

        Assert.Equal((403, "AuthenticationFailed"), (answer.Status, answer.Code));
    }

    [Theory]
    [InlineData(-16, 403)]
    [InlineData(-14, 200)]
    [InlineData(14, 200)]
    [InlineData(16, 403)]
    public async Task Accepts_dates_a_quarter_of_an_hour_around_its_own(int minutes, int status)
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        RawBlobClient skewed = new(endpoint.Service, [1, 2, 3, 4, 5, 6, 7, 8], new ShiftedClock(endpoint.Clock.GetUtcNow().AddMinutes(minutes)));

        Assert.Equal(status, (await skewed.SendAsync("GET", "/c01?restype=container", Cancelled)).Status);
    }

    [Fact]
    public async Task Refuses_a_request_changed_after_signing()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        var put = await endpoint.Client.SendAsync("PUT", "/c01/a", Cancelled, "x", ("x-ms-blob-type", "BlockBlob"));
        Assert.Equal(201, put.Status);

        List<KeyValuePair<string, string>> headers = [new("x-ms-date", Date(endpoint.Clock.GetUtcNow()))];
        var reading = SharedKeySignature.StringToSign("GET", [.. headers], "/devstoreaccount1/c01/a", "devstoreaccount1");
        headers.Add(new("Authorization", $"SharedKey devstoreaccount1:{SharedKeySignature.Sign(reading, [1, 2, 3, 4, 5, 6, 7, 8])}"));

        Assert.Equal(200, (await endpoint.Client.SendUnsignedAsync("GET", "/devstoreaccount1/c01/a", headers, string.Empty, Cancelled)).Status);
        var answer = await endpoint.Client.SendUnsignedAsync("DELETE", "/devstoreaccount1/c01/a", headers, string.Empty, Cancelled);

        Assert.Equal(403, answer.Status);
        Assert.Equal(200, (await endpoint.Client.SendAsync("HEAD", "/c01/a", Cancelled)).Status);
    }

    [Fact]
    public async Task Unsigned_requests_are_served_only_by_option_and_signatures_are_still_validated()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, static options => options with { AllowAnonymous = true });

        Assert.Equal(200, (await endpoint.Client.SendUnsignedAsync("GET", "/devstoreaccount1/c01?restype=container", [], string.Empty, Cancelled)).Status);
        Assert.Equal(403, (await endpoint.Stranger.SendAsync("GET", "/c01?restype=container", Cancelled)).Status);
    }

    [Fact]
    public async Task The_service_refuses_at_its_limits_and_continues_to_serve_others()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(
            Cancelled,
            static options => options with { BodyLimit = 1_000, Budget = new MemoryBudget(3_000), ContainerLimit = 2 }
        );
        var type = ("x-ms-blob-type", "BlockBlob");

        var large = await endpoint.Client.SendAsync("PUT", "/c01/large", Cancelled, new string('x', 1_001), type);
        Assert.Equal((413, "RequestBodyTooLarge"), (large.Status, large.Code));
        var header = await endpoint.Client.SendAsync("GET", "/c01?restype=container", Cancelled, headers: ("x-ms-meta-a", new string('a', 33 * 1024)));
        Assert.Equal(431, header.Status);
        Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c02?restype=container", Cancelled)).Status);
        Assert.Equal(503, (await endpoint.Client.SendAsync("PUT", "/c03?restype=container", Cancelled)).Status);

        Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/first", Cancelled, new string('x', 1_000), type)).Status);
        var full = await endpoint.Client.SendAsync("PUT", "/c01/second", Cancelled, new string('x', 1_000), type);
        Assert.Equal((503, "ServerBusy", "1"), (full.Status, full.Code, full.Headers["Retry-After"]));
        Assert.Equal(202, (await endpoint.Client.SendAsync("DELETE", "/c01/first", Cancelled)).Status);
        Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/second", Cancelled, new string('x', 1_000), type)).Status);
    }

    [Fact]
    public async Task Gives_back_all_memory_that_it_counted()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, static options => options with { Budget = new MemoryBudget(4_500) });
        var type = ("x-ms-blob-type", "BlockBlob");

        for (var i = 0; i < 20; i++)
        {
            Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/same", Cancelled, new string('x', 1_000), type)).Status);
            Assert.Equal(409, (await endpoint.Client.SendAsync("PUT", "/c01/same", Cancelled, new string('x', 1_000), type, ("If-None-Match", "*"))).Status);
            Assert.Equal(
                200,
                (await endpoint.Client.SendAsync("PUT", "/c01/same?comp=metadata", Cancelled, headers: ("x-ms-meta-a", new string('y', 200)))).Status
            );
            Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/same?comp=block&blockid=AAAA", Cancelled, new string('x', 500))).Status);
            Assert.Equal(400, (await endpoint.Client.SendAsync("PUT", "/c01/same?comp=block&blockid=AAAAAAAA", Cancelled, new string('x', 500))).Status);
            Assert.Equal(
                400,
                (await endpoint.Client.SendAsync("PUT", "/c01/same?comp=blocklist", Cancelled, "<BlockList><Latest>BBBB</Latest></BlockList>")).Status
            );
            Assert.Equal(202, (await endpoint.Client.SendAsync("DELETE", "/c01?restype=container", Cancelled)).Status);
            Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01?restype=container", Cancelled)).Status);
        }

        Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/last", Cancelled, new string('x', 3_400), type)).Status);
    }

    [Fact]
    public async Task Makes_no_blob_of_blocks_or_by_copying_that_is_longer_than_its_limit()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, static options => options with { BlobLimit = 1_000 });
        Assert.Equal(201, (await endpoint.Client.SendAsync("PUT", "/c01/a?comp=block&blockid=AAAA", Cancelled, new string('x', 500))).Status);

        var thrice = await endpoint.Client.SendAsync(
            "PUT",
            "/c01/a?comp=blocklist",
            Cancelled,
            "<BlockList><Latest>AAAA</Latest><Latest>AAAA</Latest><Latest>AAAA</Latest></BlockList>"
        );
        Assert.Equal((413, "RequestBodyTooLarge"), (thrice.Status, thrice.Code));
        Assert.Equal(
            201,
            (
                await endpoint.Client.SendAsync("PUT", "/c01/a?comp=blocklist", Cancelled, "<BlockList><Latest>AAAA</Latest><Latest>AAAA</Latest></BlockList>")
            ).Status
        );

        await endpoint.Client.SendAsync("PUT", "/c01/long", Cancelled, new string('x', 1_001), ("x-ms-blob-type", "BlockBlob"));
        var copy = await endpoint.Client.SendAsync("PUT", "/c01/copy", Cancelled, headers: ("x-ms-copy-source", $"{endpoint.Service.Endpoint}/c01/long"));
        Assert.Equal((413, "RequestBodyTooLarge"), (copy.Status, copy.Code));
        Assert.Equal(404, (await endpoint.Client.SendAsync("HEAD", "/c01/copy", Cancelled)).Status);
    }

    [Theory]
    [InlineData("GET")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    public async Task Refuses_an_address_of_a_blob_in_no_container(string method)
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        var answer = await endpoint.Client.SendAsync(method, "//x", Cancelled, headers: ("x-ms-blob-type", "BlockBlob"));

        Assert.Equal((400, "InvalidUri"), (answer.Status, answer.Code));
    }

    [Fact]
    public async Task Closes_a_body_that_does_not_come()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(
            Cancelled,
            static options => options with { AllowAnonymous = true, MinimumRateGrace = TimeSpan.FromMilliseconds(1_100) }
        );
        const string Request =
            "PUT /devstoreaccount1/c01/slow HTTP/1.1\r\nHost: 127.0.0.1\r\nx-ms-blob-type: BlockBlob\r\nContent-Length: 100000000\r\n\r\nonly this";

        var answer = await endpoint.Client.SendBytesAsync(Encoding.ASCII.GetBytes(Request), Cancelled);

        Assert.Equal(408, answer.Status);
        Assert.Equal(404, (await endpoint.Client.SendAsync("HEAD", "/c01/slow", Cancelled)).Status);
    }

    [Fact]
    public async Task Closes_a_connection_on_which_nothing_comes()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, static options => options with { HeaderTime = TimeSpan.FromMilliseconds(100) });

        // Far from this limit and from the four minutes of a connection between requests.
        using CancellationTokenSource patience = new(TimeSpan.FromSeconds(60), TimeProvider.System);
        var answer = await endpoint.Client.SendBytesAsync([], patience.Token);

        Assert.Equal(0, answer.Status);
    }

    [Fact]
    public async Task Answers_hostile_bytes_and_lives_on()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);
        Random random = new(7);
        var noise = new byte[2_000];
        for (var i = 0; i < 50; i++)
        {
            random.NextBytes(noise);
            noise[^1] = (byte)'\n';
            var answer = await endpoint.Client.SendBytesAsync(noise, Cancelled);
            Assert.True(answer.Status is 0 or 400 or 431, $"{answer.Status}");
        }

        foreach (var target in new[] { "*", "http://evil.example/devstoreaccount1/c01", "/", "//", "/devstoreaccount1", "/devstoreaccount1/%", "/%00/%ff%fe" })
        {
            var answer = await endpoint.Client.SendUnsignedAsync("GET", target, [], string.Empty, Cancelled);
            Assert.InRange(answer.Status, 400, 499);
        }

        Assert.Equal(200, (await endpoint.Client.SendAsync("GET", "/c01?restype=container", Cancelled)).Status);
    }

    [Fact]
    public async Task Refuses_to_start_with_a_container_whose_name_is_not_allowed()
    {
        var exception = await Assert.ThrowsAsync<ArgumentException>(() =>
            BlobService.StartAsync(new BlobServiceOptions { Key = [1], Containers = ["Not_Allowed"] }, Cancelled)
        );

        Assert.Contains("container 'Not_Allowed'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fails_to_start_on_a_port_in_use()
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled);

        await Assert.ThrowsAnyAsync<IOException>(() => BlobService.StartAsync(new BlobServiceOptions { Key = [1], Port = endpoint.Service.Port }, Cancelled));
    }

    private static string Date(DateTimeOffset time) => time.ToString("R", CultureInfo.InvariantCulture);

    private sealed class ShiftedClock(DateTimeOffset now) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => now;
    }
}
