using System.Net;
using System.Net.Security;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Connection;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.WebSockets;

/// <summary>Our client over a WebSocket against our listener: the same protocol, on the same port.</summary>
public sealed class WebSocketTests
{
    private static readonly AmqpListenerOptions Listening = new() { WebSocketPath = AmqpWebSocketOptions.AzurePath };

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(AmqpWebSocketOptions.AzureSubprotocol)]
    [InlineData("amqp")]
    public async Task Carries_messages_with_either_name_of_the_subprotocol(string subprotocol)
    {
        await using var listener = AmqpListener.Start(Listening, static _ => new AnyLink());
        await using var connection = await ConnectAsync(listener, new AmqpWebSocketOptions { Subprotocol = subprotocol });

        await AssertServesAsync(connection);
        Assert.NotNull(connection.RemoteEndPoint);
    }

    [Fact]
    public async Task WebSockets_and_AMQP_are_served_on_one_port()
    {
        await using var listener = AmqpListener.Start(Listening, static _ => new AnyLink());
        await using var over = await ConnectAsync(listener, new AmqpWebSocketOptions());
        await using var plain = await ConnectAsync(listener, webSocket: null);

        await AssertServesAsync(over);
        await AssertServesAsync(plain);
        Assert.Equal(2, listener.Connections.Count);
    }

    [Fact]
    public async Task With_TLS_a_certificate_is_the_identity()
    {
        using var server = Certificates.SelfSigned("localhost");
        using var own = Certificates.SelfSigned("own");
        var listening = Listening with
        {
            Certificate = server,
            CheckPeerCertificate = (_, shown, _, _) => shown?.GetCertHashString() == own.GetCertHashString(),
            SaslMechanisms = [SaslMechanism.External],
        };
        await using var listener = AmqpListener.Start(listening, static _ => new AnyLink());
        var tls = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ClientCertificates = [own],
            RemoteCertificateValidationCallback = (_, shown, _, _) => shown?.GetCertHashString() == server.GetCertHashString(),
        };
        await using var connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "localhost",
                Port = listener.LocalEndPoint.Port,
                UseTls = true,
                Tls = tls,
                ExternalIdentity = string.Empty,
                WebSocket = new AmqpWebSocketOptions(),
            },
            Cancelled
        );

        await AssertServesAsync(connection);
        Assert.Equal("CN=own", Assert.Single(listener.Connections).Sasl?.Certificate?.Subject);
    }

    [Fact]
    public async Task An_untrusted_certificate_is_refused()
    {
        using var server = Certificates.SelfSigned("localhost");
        await using var listener = AmqpListener.Start(Listening with { Certificate = server }, static _ => new AnyLink());

        var refusal = await Assert.ThrowsAsync<AmqpException>(() =>
            AmqpConnection.ConnectAsync(
                new AmqpConnectionOptions
                {
                    Host = "localhost",
                    Port = listener.LocalEndPoint.Port,
                    UseTls = true,
                    WebSocket = new AmqpWebSocketOptions(),
                },
                Cancelled
            )
        );

        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
        Assert.Empty(listener.Connections);
    }

    [Fact]
    public async Task Goes_through_a_proxy()
    {
        await using var listener = AmqpListener.Start(Listening, static _ => new AnyLink());
        await using var proxy = new TunnelProxy();
        await using (var connection = await ConnectAsync(listener, new AmqpWebSocketOptions { Proxy = proxy.Address }))
        {
            await AssertServesAsync(connection);
            Assert.Equal(proxy.EndPoint.Port, Assert.IsType<IPEndPoint>(connection.RemoteEndPoint).Port);
        }

        Assert.Equal($"127.0.0.1:{listener.LocalEndPoint.Port}", Assert.Single(proxy.Asked));
    }

    [Fact]
    public async Task Ends_with_the_peers_reason()
    {
        var listener = AmqpListener.Start(Listening, static _ => new AnyLink());
        await using var connection = await ConnectAsync(listener, new AmqpWebSocketOptions());
        await listener.DisposeAsync();

        var error = await connection.Completion.WaitAsync(Cancelled);

        Assert.Equal(ErrorCondition.ConnectionForced, error?.Condition.Value);
    }

    [Fact]
    public async Task Closed_by_the_client_the_listener_has_no_complaint()
    {
        List<ListenerNotice> notices = [];
        await using var listener = AmqpListener.Start(Listening with { Notice = notices.Add }, static _ => new AnyLink());
        var connection = await ConnectAsync(listener, new AmqpWebSocketOptions());
        var served = Assert.Single(listener.Connections);
        await connection.CloseAsync(error: null, Cancelled);
        await connection.DisposeAsync();

        Assert.Null(await served.Completion.WaitAsync(Cancelled));
        Assert.Empty(notices);
    }

    private static Task<AmqpConnection> ConnectAsync(AmqpListener listener, AmqpWebSocketOptions? webSocket) =>
        AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = listener.LocalEndPoint.Port,
                WebSocket = webSocket,
            },
            Cancelled
        );

    private static async Task AssertServesAsync(AmqpConnection connection)
    {
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var receiver = await session.AttachReceiverAsync(
            new Attach
            {
                Name = "from",
                Source = new Source { Address = "any" },
                Target = new Target(),
            },
            10,
            Cancelled
        );
        Assert.Equal(100, (await receiver.ReceiveAsync(Cancelled)).Payload.Length);
        var sender = await session.AttachSenderAsync(Serving.To("any"), Cancelled);
        await sender.WaitForCreditAsync(Cancelled);
    }
}
