using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>The administration on the ports for messages: frameworks have one connection string for both.</summary>
public sealed class AdminOnMessagingPortTests : RunningEmulator
{
    private const string Description =
        """<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><QueueDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"/></content></entry>""";

    [Theory]
    [InlineData("EVENTHUB_CONNECTION_STRING", "http")]
    [InlineData("SERVICEBUS_CONNECTION_STRING", "http")]
    [InlineData("EMULATOR_TLS_CONNECTION_STRING", "https")]
    public async Task Entities_are_made_read_and_deleted_there(string setting, string scheme)
    {
        using var client = Client();
        var address = GetAddress(setting, scheme);
        Assert.Equal(HttpStatusCode.Created, await SendAsync(client, "PUT", address, "/work?api-version=2024-05", Description));
        Assert.Equal(HttpStatusCode.OK, await SendAsync(client, "GET", address, "/work?api-version=2024-05"));
        Assert.NotNull(Host.Queues.FindQueue("work"));
        Assert.Equal(HttpStatusCode.OK, await SendAsync(client, "DELETE", address, "/work?api-version=2024-05"));
        Assert.Equal(HttpStatusCode.NotFound, await SendAsync(client, "GET", address, "/work?api-version=2024-05"));
        Assert.Equal("ready\n", await client.GetStringAsync(new Uri(address, "/healthz"), Cancellation));
    }

    [Fact]
    public async Task The_key_is_asked_for_there_too()
    {
        using var client = Client();
        using var answer = await client.GetAsync(new Uri(GetAddress("SERVICEBUS_CONNECTION_STRING", "http"), "/queues"), Cancellation);
        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    [Fact]
    public async Task Messages_pass_on_the_same_port_meanwhile()
    {
        using var client = Client();
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        Assert.Equal(HttpStatusCode.Created, await SendAsync(client, "PUT", GetAddress("SERVICEBUS_CONNECTION_STRING", "http"), "/work", Description));
        Assert.Equal(202, await peer.PutTokenAsync("work"));
        var sender = await peer.SenderAsync("work");
        Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a"), 0, Cancellation));
    }

    [Theory]
    [InlineData("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 OK")]
    [InlineData("GET /$servicebus/websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 426 Upgrade Required")]
    [InlineData("GET /else HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 404 Not Found")]
    [InlineData("PUT / HTTP/9.9\r\n\r\n", "HTTP/1.1 505")]
    public async Task Each_request_on_the_messaging_port_is_answered_by_the_service_of_its_protocol(string request, string expected)
    {
        var address = GetAddress("SERVICEBUS_CONNECTION_STRING", "http");
        using var socket = new TcpClient();
        await socket.ConnectAsync(address.Host, address.Port, Cancellation);
        await using var stream = socket.GetStream();

        // Byte by byte: nothing may depend on how it is cut.
        foreach (var one in Encoding.ASCII.GetBytes(request))
        {
            await stream.WriteAsync(new[] { one }, Cancellation);
        }

        using var answer = new StreamReader(stream, Encoding.ASCII);
        Assert.StartsWith(expected, await answer.ReadLineAsync(Cancellation), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_open_connection_does_not_hold_up_the_end()
    {
        using var client = Client();
        Assert.Equal("ready\n", await client.GetStringAsync(new Uri(GetAddress("SERVICEBUS_CONNECTION_STRING", "http"), "/healthz"), Cancellation));
        await Host.DisposeAsync();
    }

    private Uri GetAddress(string setting, string scheme)
    {
        var parsed = MessagingConnectionString.Parse(Host.Settings[setting]);
        return new Uri($"{scheme}://{parsed.Host}:{parsed.EffectivePort}");
    }

    private async Task<HttpStatusCode> SendAsync(HttpClient client, string method, Uri address, string path, string? body = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(address, path));
        var key = MessagingConnectionString.Parse(EventHubs).Key!;
        var token = SasToken.Create(address.AbsoluteUri, "RootManageSharedAccessKey", key, TimeProvider.System.GetUtcNow().AddMinutes(5));
        request.Headers.TryAddWithoutValidation("Authorization", token);
        if (body is not null)
        {
            request.Content = new StringContent(body, Encoding.UTF8);
            request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/atom+xml");
        }

        using var answer = await client.SendAsync(request, Cancellation);
        return answer.StatusCode;
    }

    private HttpClient Client()
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.ImportFromPemFile(Host.Settings["EMULATOR_TLS_CERTIFICATE"]);
        return new HttpClient(new SocketsHttpHandler { SslOptions = { CertificateChainPolicy = policy }, MaxConnectionsPerServer = 1 });
    }

    private protected override EmulatorOptions Options() => new() { TlsPort = 0 };
}
