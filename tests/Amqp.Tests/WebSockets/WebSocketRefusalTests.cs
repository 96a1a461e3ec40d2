using System.Net;
using System.Net.Sockets;
using System.Text;
using EventHubThroughput.Amqp.Tests.Connection;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.WebSockets;

/// <summary>Servers that our client finds at the other end and that are none for it.</summary>
public sealed class WebSocketRefusalTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200")]
    [InlineData("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n", "Accept")]
    [InlineData("AMQP\u0003\u0001\u0000\u0000 and no HTTP\r\n\r\n", "")]
    [InlineData("", "")]
    public async Task Is_an_error_of_the_transport(string answer, string said)
    {
        using var listening = RawPeer.Listen();
        var port = GetPort(listening);
        var serving = AnswerAsync(listening, answer);

        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ConnectAsync(port, TimeProvider.System));

        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
        Assert.Contains($"127.0.0.1:{port}: ", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(said, refusal.Message, StringComparison.Ordinal);
        await serving;
    }

    [Fact]
    public async Task A_listener_without_WebSockets_refuses_in_AMQP()
    {
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), static _ => new AnyLink());

        var refusal = await Assert.ThrowsAsync<AmqpException>(() =>
            AmqpConnection.ConnectAsync(
                new AmqpConnectionOptions
                {
                    Host = "127.0.0.1",
                    Port = listener.LocalEndPoint.Port,
                    WebSocket = new AmqpWebSocketOptions(),
                },
                Cancelled
            )
        );

        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
    }

    [Fact]
    public async Task A_silent_peer_is_given_up_after_the_time_limit()
    {
        using var listening = RawPeer.Listen();
        var clock = new VirtualClock();
        var connecting = ConnectAsync(GetPort(listening), clock);
        using var accepted = await listening.AcceptAsync(Cancelled);
        var first = new byte[1];
        Assert.Equal(1, await accepted.ReceiveAsync(first, Cancelled));
        clock.Advance(TimeSpan.FromSeconds(11));

        var late = await Assert.ThrowsAsync<AmqpException>(() => connecting);

        Assert.Equal(AmqpErrorScope.Timeout, late.Scope);
    }

    private static async Task AnswerAsync(Socket listening, string answer)
    {
        using var accepted = await listening.AcceptAsync(Cancelled);
        var request = new byte[4_096];
        await accepted.ReceiveAsync(request, Cancelled);

        // A client that got no answer tries again.
        listening.Dispose();
        await accepted.SendAsync(Encoding.Latin1.GetBytes(answer), Cancelled);
        accepted.Shutdown(SocketShutdown.Both);
    }

    private static Task<AmqpConnection> ConnectAsync(int port, TimeProvider clock) =>
        AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = port,
                WebSocket = new AmqpWebSocketOptions(),
                TimeProvider = clock,
            },
            Cancelled
        );

    private static int GetPort(Socket listening) => ((IPEndPoint)listening.LocalEndPoint!).Port;
}
