using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

public sealed class AdminEndpointTests : RunningEmulator
{
    private Uri Admin => new(Host.Settings["EMULATOR_ADMIN_URL"]);

    private string Key => MessagingConnectionString.Parse(EventHubs).Key!;

    [Fact]
    public async Task Health_needs_no_key_and_all_else_does()
    {
        Assert.Equal((HttpStatusCode.OK, "ready\n"), await SendAsync("GET", "/healthz", authorization: null));
        foreach (var path in (string[])["/stats", "/metrics", "/hubs", "/nothing"])
        {
            var (status, body) = await SendAsync("GET", path, authorization: null);
            Assert.Equal(HttpStatusCode.Unauthorized, status);
            Assert.Equal("The key is missing: send 'Authorization: Bearer KEY' or a shared access signature.", (string?)JsonNode.Parse(body)!["error"]);
        }
    }

    [Fact]
    public async Task A_refusal_names_the_scheme_that_is_asked_for()
    {
        using var client = new HttpClient();
        using var answer = await client.GetAsync(new Uri(Admin, "/hubs"), Cancellation);
        Assert.Equal("Bearer realm=\"emulator\"", answer.Headers.WwwAuthenticate.ToString());
    }

    [Fact]
    public async Task The_key_itself_or_a_signature_made_with_it_opens()
    {
        var later = TimeProvider.System.GetUtcNow().AddMinutes(5);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("GET", "/hubs", $"Bearer {Key}")).Status);
        foreach (var audience in (string[])[$"{Admin}", $"{Admin}hubs", $"https://127.0.0.1:{Admin.Port}/hubs"])
        {
            Assert.Equal(HttpStatusCode.OK, (await SendAsync("GET", "/hubs", SasToken.Create(audience, "RootManageSharedAccessKey", Key, later))).Status);
        }
    }

    [Fact]
    public async Task A_wrong_key_name_signature_audience_or_time_is_refused()
    {
        var now = TimeProvider.System.GetUtcNow();
        var later = now.AddMinutes(5);
        string[] wrong =
        [
            "Bearer c2VjcmV0LWtleS1vZi10ZXN0cw==",
            $"Basic {Convert.ToBase64String(Encoding.UTF8.GetBytes($"RootManageSharedAccessKey:{Key}"))}",
            SasToken.Create($"{Admin}", "RootManageSharedAccessKey", "c2VjcmV0", later),
            SasToken.Create($"{Admin}", "Other", Key, later),
            SasToken.Create($"{Admin}queues", "RootManageSharedAccessKey", Key, later),
            SasToken.Create($"{Admin}".Replace("127.0.0.1", "elsewhere", StringComparison.Ordinal), "RootManageSharedAccessKey", Key, later),
            // Of a hub that is named so, as a client of it would ask for.
            SasToken.Create("sb://127.0.0.1/hubs", "RootManageSharedAccessKey", Key, later),
            SasToken.Create("hubs", "RootManageSharedAccessKey", Key, later),
            SasToken.Create("http://127.0.0.1/hubs", "RootManageSharedAccessKey", Key, later),
            SasToken.Create($"amqp://127.0.0.1:{Admin.Port}/hubs", "RootManageSharedAccessKey", Key, later),
            SasToken.Create("http://elsewhere/", "RootManageSharedAccessKey", Key, later),
            SasToken.Create($"{Admin}", "RootManageSharedAccessKey", Key, now.AddMinutes(-1)),
        ];
        foreach (var authorization in wrong)
        {
            var (status, body) = await SendAsync("GET", "/hubs", authorization);
            Assert.Equal(HttpStatusCode.Unauthorized, status);
            Assert.DoesNotContain(Key, body, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_hub_is_created_once_and_then_there_or_different()
    {
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("GET", "/hubs/orders")).Status);
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/hubs/orders?partitions=8&consumerGroups=a,b")).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("PUT", "/hubs/ORDERS", body: """{ "partitions": 8, "consumerGroups": ["A"] }""")).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await SendAsync("PUT", "/hubs/orders?partitions=4")).Status);
        Assert.Equal(8, Host.Hubs.Find("orders")!.Partitions.Count);
        var (status, shown) = await SendAsync("GET", "/hubs/Orders");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal(("orders", 8), ((string?)JsonNode.Parse(shown)!["name"], (int?)JsonNode.Parse(shown)!["partitions"]));
        Assert.Equal(["hub", "orders"], JsonNode.Parse((await SendAsync("GET", "/hubs")).Body)!["hubs"]!.AsArray().Select(static hub => (string)hub!["name"]!));
        Assert.Equal(HttpStatusCode.NoContent, (await SendAsync("DELETE", "/hubs/orders")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("DELETE", "/hubs/orders")).Status);
    }

    [Fact]
    public async Task A_container_is_created_listed_and_deleted()
    {
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/containers/pictures")).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("PUT", "/containers/pictures")).Status);
        Assert.Contains("pictures", (await SendAsync("GET", "/containers")).Body, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NoContent, (await SendAsync("DELETE", "/containers/pictures")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("GET", "/containers/pictures")).Status);
        Assert.Equal(
            "container 'A!': not a container name, allowed are 3 to 63 lower-case letters, digits and single '-'",
            (string?)JsonNode.Parse((await SendAsync("PUT", "/containers/A!")).Body)!["problems"]![0]
        );
    }

    [Theory]
    [InlineData(
        "/hubs/x?partitions=5000&retentionTme=1h",
        null,
        "query: 'partitions' '5000': allowed 1 to 1024|query: 'retentionTme': unknown, did you mean 'retentionTime'?"
    )]
    [InlineData("/hubs/x", "{\n\"partitions\": 0,\n\"name\": \"y\" }", "body:2: 'partitions' 0: allowed 1 to 1024|body:3: 'name' 'y': the path names 'x'")]
    [InlineData("/hubs/x", "{", "body:1: not valid JSON: unexpected end")]
    [InlineData("/hubs/x?partitions=4", "{}", "query: cannot be combined with a body")]
    [InlineData("/hubs/a%2Fb", null, "hub 'a/b': not a name, allowed are up to 256 letters, digits, '.', '-', '_' with a letter or digit first and last")]
    [InlineData("/hubs/x.servicebus.windows.net", null, "hub 'x.servicebus.windows.net': the emulator never talks to Azure")]
    public async Task Wrong_settings_are_400_with_all_problems(string path, string? json, string expected)
    {
        var (status, body) = await SendAsync("PUT", path, body: json);
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Equal(expected.Split('|'), JsonNode.Parse(body)!["problems"]!.AsArray().Select(static problem => (string)problem!));
    }

    [Fact]
    public async Task Beyond_the_limit_of_entities_none_is_created()
    {
        for (var i = 1; i < 1_024; i++)
        {
            Host.Hubs.Create(new Entities.HubSettings($"hub{i}") { Partitions = 1 });
        }

        Assert.Equal(HttpStatusCode.InsufficientStorage, (await SendAsync("PUT", "/hubs/onemore?partitions=1")).Status);
    }

    [Fact]
    public async Task Unknown_paths_and_methods_are_named()
    {
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("GET", "/hubs/a/b/c")).Status);
        using var client = new HttpClient { DefaultRequestHeaders = { Authorization = AuthenticationHeaderValue.Parse($"Bearer {Key}") } };
        using var answer = await client.PostAsync(new Uri(Admin, "/hubs/x"), null, Cancellation);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, answer.StatusCode);
        Assert.Equal(["DELETE", "GET", "PUT"], answer.Content.Headers.Allow.Order());
    }

    [Fact]
    public async Task A_body_or_header_beyond_its_limit_is_refused()
    {
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, (await SendAsync("PUT", "/hubs/x", body: new string(' ', (1024 * 1024) + 1))).Status);
        Assert.Equal(HttpStatusCode.RequestHeaderFieldsTooLarge, (await SendAsync("GET", "/hubs", new string('x', 40 * 1024))).Status);
    }

    [Theory]
    [InlineData("Host: pages.example\r\n", 403)]
    [InlineData("Host: pages.example:PORT\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: http://pages.example\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:1\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: null\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 200)]
    [InlineData("Host: localhost:PORT\r\n", 200)]
    [InlineData("Host: [::1]:PORT\r\n", 200)]
    public async Task Pages_of_other_origins_are_refused(string headers, int expected)
    {
        var port = Admin.Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
        var request =
            $"GET /hubs HTTP/1.1\r\nAuthorization: Bearer {Key}\r\nConnection: close\r\n{headers.Replace("PORT", port, StringComparison.Ordinal)}\r\n";
        Assert.StartsWith($"HTTP/1.1 {expected} ", await AskAsync(request), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("nonsense\r\n\r\n", "HTTP/1.1 400")]
    [InlineData("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400")]
    [InlineData("GET http://elsewhere/ HTTP/1.1\r\n\r\n", "HTTP/1.1 400")]
    public async Task Malformed_http_is_refused_and_closed(string request, string expected) =>
        Assert.StartsWith(expected, await AskAsync(request), StringComparison.Ordinal);

    private async Task<string> AskAsync(string request)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, Admin.Port, Cancellation);
        var stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(request), Cancellation);
        using var reader = new StreamReader(stream);
        return await reader.ReadToEndAsync(Cancellation);
    }

    private async Task<(HttpStatusCode Status, string Body)> SendAsync(string method, string path, string? authorization = "key", string? body = null)
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri($"{Admin.GetLeftPart(UriPartial.Authority)}{path}"));
        if (authorization is not null)
        {
            request.Headers.TryAddWithoutValidation("Authorization", authorization == "key" ? $"Bearer {Key}" : authorization);
        }

        request.Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json");
        using var answer = await client.SendAsync(request, Cancellation);
        return (answer.StatusCode, await answer.Content.ReadAsStringAsync(Cancellation));
    }
}
