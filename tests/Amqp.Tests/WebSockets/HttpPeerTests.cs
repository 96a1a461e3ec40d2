using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Channels;
using EventHubThroughput.Amqp.Tests.Connection;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.WebSockets;

/// <summary>Requests of HTTP on a port of AMQP, which the listener passes to another server.</summary>
public sealed class HttpPeerTests
{
    private readonly Channel<ListenerNotice> _told = Channel.CreateUnbounded<ListenerNotice>();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: here\r\n\r\n")]
    [InlineData("PUT /queue HTTP/1.1\r\nContent-Length: 2\r\n\r\nab")]
    [InlineData("DELETE /queue HTTP/1.1\r\n\r\n")]
    [InlineData("OPTIONS * HTTP/1.1\r\nUpgrade: h2c\r\n\r\n")]
    public async Task Request_without_a_WebSocket_is_handed_over_from_its_first_byte(string request)
    {
        await using var listener = Listen(EchoAsync);
        using var socket = await ConnectAsync(listener);
        await socket.SendAsync(Encoding.ASCII.GetBytes(request), Cancellation);
        Assert.Equal(request, await ReadToEndAsync(socket, request.Length));
    }

    [Fact]
    public async Task Peers_of_AMQP_and_of_WebSockets_are_served_as_before()
    {
        await using var listener = Listen(static (_, _) => throw new InvalidOperationException("not for it"));
        foreach (var webSocket in (AmqpWebSocketOptions?[])[null, new AmqpWebSocketOptions()])
        {
            var options = new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = listener.LocalEndPoint.Port,
                WebSocket = webSocket,
            };
            await using var connection = await AmqpConnection.ConnectAsync(options, Cancellation);
            Assert.NotNull(await connection.BeginSessionAsync(new AmqpSessionOptions(), Cancellation));
        }
    }

    [Fact]
    public async Task A_failure_of_the_HTTP_handler_does_no_harm()
    {
        await using var listener = Listen(static (_, _) => throw new InvalidOperationException("by the caller"));
        using var socket = await ConnectAsync(listener);
        await socket.SendAsync("HEAD / HTTP/1.1\r\n\r\n"u8.ToArray(), Cancellation);
        var notice = await _told.Reader.ReadAsync(Cancellation);
        Assert.Equal((ListenerEvent.HttpFailed, "by the caller"), (notice.Event, notice.Exception!.Message));
        Assert.Equal(string.Empty, await ReadToEndAsync(socket, 1));
    }

    [Fact]
    public async Task Request_is_cancelled_when_the_listener_stops()
    {
        var cancelled = new TaskCompletionSource();
        var listener = Listen(
            async (_, cancellationToken) =>
            {
                await using var end = cancellationToken.Register(cancelled.SetResult);
                await cancelled.Task;
            }
        );
        using var socket = await ConnectAsync(listener);
        await socket.SendAsync("GET / HTTP/1.1\r\n\r\n"u8.ToArray(), Cancellation);
        await _handed.Task.WaitAsync(Cancellation);
        await listener.DisposeAsync();
        Assert.True(cancelled.Task.IsCompleted);
    }

    [Theory]
    [InlineData("PUT")]
    [InlineData("XGET / HTTP/1.1\r\n\r\n")]
    public async Task A_request_that_only_begins_like_HTTP_is_refused(string bytes)
    {
        await using var listener = Listen(EchoAsync);
        using var socket = await ConnectAsync(listener);
        await socket.SendAsync(Encoding.ASCII.GetBytes(bytes), Cancellation);
        socket.Shutdown(SocketShutdown.Send);
        Assert.Equal(ListenerEvent.HandshakeFailed, (await _told.Reader.ReadAsync(Cancellation)).Event);
    }

    private readonly TaskCompletionSource _handed = new();

    private AmqpListener Listen(Func<AmqpHttpPeer, CancellationToken, Task> serve) =>
        AmqpListener.Start(
            new AmqpListenerOptions
            {
                WebSocketPath = AmqpWebSocketOptions.AzurePath,
                Notice = notice => _told.Writer.TryWrite(notice),
                ServeHttp = (peer, cancellationToken) =>
                {
                    _handed.TrySetResult();
                    return serve(peer, cancellationToken);
                },
            },
            static _ => new AnyLink()
        );

    private static async Task EchoAsync(AmqpHttpPeer peer, CancellationToken cancellationToken)
    {
        Assert.False(peer.IsEncrypted);
        Assert.NotNull(Assert.IsType<IPEndPoint>(peer.RemoteEndPoint));
        while (await peer.Input.ReadAsync(cancellationToken) is { IsCompleted: false } result)
        {
            foreach (var part in result.Buffer)
            {
                await peer.Output.WriteAsync(part, cancellationToken);
            }

            peer.Input.AdvanceTo(result.Buffer.End);
        }
    }

    private static async Task<Socket> ConnectAsync(AmqpListener listener)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndPoint, Cancellation);
        return socket;
    }

    private static async Task<string> ReadToEndAsync(Socket socket, int length)
    {
        var bytes = new byte[length];
        var read = 0;
        while (read < length && await socket.ReceiveAsync(bytes.AsMemory(read), Cancellation) is > 0 and var count)
        {
            read += count;
        }

        return Encoding.ASCII.GetString(bytes, 0, read);
    }
}
