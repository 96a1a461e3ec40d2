using System.Net;
using System.Net.Sockets;
using System.Text;
using EventHubThroughput.AzureProtocol;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Connections;

/// <summary>The addresses of the clients when WebSockets carry AMQP. The traffic itself is tested with the library and with the peers.</summary>
public sealed class WebSocketTransportTests
{
    private const string Key = "SharedAccessKeyName=Root;SharedAccessKey=Y2FuYXJ5";

    [Theory]
    [InlineData("", MessagingTransport.Tcp, 5671)]
    [InlineData(";UseDevelopmentEmulator=true", MessagingTransport.Tcp, 5672)]
    [InlineData("", MessagingTransport.WebSockets, 443)]
    [InlineData(";UseDevelopmentEmulator=true", MessagingTransport.WebSockets, 80)]
    public void The_port_is_that_of_the_transport_unless_the_endpoint_names_one(string flag, MessagingTransport transport, int port)
    {
        Assert.Equal(port, transport.GetPort(MessagingConnectionString.Parse($"Endpoint=sb://127.0.0.1;{Key}{flag}")));
        Assert.Equal(1234, transport.GetPort(MessagingConnectionString.Parse($"Endpoint=sb://127.0.0.1:1234;{Key}{flag}")));
    }

    [Fact]
    public async Task A_WebSocket_is_asked_for_where_Azure_has_them()
    {
        var cancelled = TestContext.Current.CancellationToken;
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var settings = new MessagingSettings
        {
            EventHub = MessagingConnectionString.Parse($"Endpoint=sb://{listener.LocalEndpoint};{Key};UseDevelopmentEmulator=true"),
            EventHubName = "hub",
            Transport = MessagingTransport.WebSockets,
        };
        await using var clients = new BuiltInClients(settings, new BuiltInClientOptions());
        using var given = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        var asking = clients.GetEventHubPropertiesAsync(given.Token);

        using var peer = await listener.AcceptTcpClientAsync(cancelled);
        using var reader = new StreamReader(peer.GetStream(), Encoding.ASCII);
        List<string> request = [];
        while (await reader.ReadLineAsync(cancelled) is { Length: > 0 } line)
        {
            request.Add(line);
        }

        Assert.Equal("GET /$servicebus/websocket HTTP/1.1", request[0]);
        Assert.Contains("Sec-WebSocket-Protocol: AMQPWSB10", request);
        await given.CancelAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => asking);
    }
}
