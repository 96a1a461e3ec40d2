using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using System.Threading.Channels;
using EventHubThroughput.Amqp.Tests.Connection;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.WebSockets;

/// <summary>Requests for a WebSocket: those of RFC 6455 are taken, all others are answered with what is allowed.</summary>
public sealed class UpgradeTests
{
    // Key and answer are the example of RFC 6455, section 1.3.
    private const string Key = "dGhlIHNhbXBsZSBub25jZQ==";
    private const string Accepted = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    private const string Path = AmqpWebSocketOptions.AzurePath;

    private const string Request =
        $"GET {Path} HTTP/1.1\r\nHost: localhost:5672\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {Key}\r\nSec-WebSocket-Protocol: AMQPWSB10\r\n\r\n";

    private readonly Channel<ListenerNotice> notices = Channel.CreateUnbounded<ListenerNotice>();

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_answer_is_that_of_the_RFC()
    {
        await using var listener = Listen();
        using var socket = await ConnectAsync(listener);
        await socket.SendAsync(Encoding.ASCII.GetBytes(Request), Cancelled);

        var answer = await ReadHeadAsync(socket);

        Assert.StartsWith("HTTP/1.1 101 ", answer, StringComparison.Ordinal);
        Assert.Contains($"\r\nSec-WebSocket-Accept: {Accepted}\r\n", answer, StringComparison.Ordinal);
        Assert.Contains("\r\nSec-WebSocket-Protocol: AMQPWSB10\r\n", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Request_may_arrive_byte_by_byte()
    {
        await using var listener = Listen();
        using var socket = await ConnectAsync(listener);
        socket.NoDelay = true;
        foreach (var one in Encoding.ASCII.GetBytes(Request))
        {
            await socket.SendAsync(new[] { one }, Cancelled);
        }

        Assert.StartsWith("HTTP/1.1 101 ", await ReadHeadAsync(socket), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData($"GET {Path} ", $"GET {Path}/?entity=hub ")]
    [InlineData($"GET {Path} ", "GET /%24servicebus/WebSocket ")]
    [InlineData("Upgrade: websocket", "upgrade: h2c, WebSocket")]
    [InlineData("Connection: Upgrade", "CONNECTION: keep-alive, upgrade")]
    [InlineData("Protocol: AMQPWSB10", "Protocol: chat, amqp")]
    [InlineData("Protocol: AMQPWSB10", "Protocol: chat\r\nSec-WebSocket-Protocol: amqp")]
    [InlineData("Host:", "Origin: http://localhost:3000\r\nHost:")]
    [InlineData("Host: localhost:5672", "Origin: https://here.example:8\r\nHost: here.example:8")]
    public async Task Other_spellings_are_taken(string usual, string other)
    {
        await using var listener = Listen();
        using var socket = await ConnectAsync(listener);
        Assert.Contains(usual, Request, StringComparison.Ordinal);
        await socket.SendAsync(Encoding.ASCII.GetBytes(Request.Replace(usual, other, StringComparison.Ordinal)), Cancelled);

        Assert.StartsWith("HTTP/1.1 101 ", await ReadHeadAsync(socket), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData($"GET {Path} ", "GET / ", 404, $"takes WebSockets at {Path}")]
    [InlineData($"GET {Path} HTTP/1.1", $"GET {Path} HTTP/1.0", 400, "not an HTTP/1.1 request")]
    [InlineData($"GET {Path} HTTP/1.1", "GET http://elsewhere/ HTTP/1.1", 400, "not an HTTP/1.1 request")]
    [InlineData("Host: localhost:5672", "Host localhost:5672", 400, "not an HTTP/1.1 request")]
    [InlineData("Host: localhost:5672", "Host : localhost:5672", 400, "not an HTTP/1.1 request")]
    [InlineData("Upgrade: websocket", "Upgrade: h2c", 426, "version 13")]
    [InlineData("Connection: Upgrade", "Connection: close", 426, "version 13")]
    [InlineData("Version: 13", "Version: 8", 426, "version 13")]
    [InlineData($"Key: {Key}", "Key: short", 400, "Sec-WebSocket-Key")]
    [InlineData($"Key: {Key}", "Key: !!!!!!!!!!!!!!!!!!!!!!==", 400, "Sec-WebSocket-Key")]
    [InlineData($"Key: {Key}", "Other: x", 400, "Sec-WebSocket-Key")]
    [InlineData("Protocol: AMQPWSB10", "Protocol: mqtt", 400, "allowed AMQPWSB10, amqp")]
    [InlineData("Sec-WebSocket-Protocol: AMQPWSB10\r\n", "", 400, "allowed AMQPWSB10, amqp")]
    [InlineData("Host:", "Origin: https://elsewhere.example\r\nHost:", 403, "other origins")]
    [InlineData("Host:", "Origin: null\r\nHost:", 403, "other origins")]
    [InlineData("AMQPWSB10\r\n\r\n", "AMQPWSB10\r\n\r\nAMQP", 400, "not an HTTP/1.1 request")]
    public async Task A_wrong_handshake_is_answered_with_its_status_and_reason(string usual, string wrong, int status, string said)
    {
        await using var listener = Listen();
        using var socket = await ConnectAsync(listener);
        Assert.Contains(usual, Request, StringComparison.Ordinal);
        await socket.SendAsync(Encoding.ASCII.GetBytes(Request.Replace(usual, wrong, StringComparison.Ordinal)), Cancelled);

        var answer = await ReadAllAsync(socket);

        Assert.StartsWith($"HTTP/1.1 {status} ", answer, StringComparison.Ordinal);
        Assert.Contains(said, answer, StringComparison.Ordinal);
        await AssertToldAsync(said);
    }

    [Fact]
    public async Task A_request_without_an_end_is_refused()
    {
        await using var listener = Listen();
        using var socket = await ConnectAsync(listener);
        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET / HTTP/1.1\r\nX: {new string('x', 9_000)}"), Cancelled);

        Assert.StartsWith("HTTP/1.1 400 ", await ReadAllAsync(socket), StringComparison.Ordinal);
        await AssertToldAsync("at most 8192 bytes");
    }

    [Theory]
    [InlineData("GET")]
    [InlineData("GET /")]
    public async Task A_handshake_that_breaks_off_is_reported(string begun)
    {
        await using var listener = Listen();
        using (var socket = await ConnectAsync(listener))
        {
            await socket.SendAsync(Encoding.ASCII.GetBytes(begun), Cancelled);
            socket.Shutdown(SocketShutdown.Send);
            await ReadAllAsync(socket);
        }

        Assert.Equal(ListenerEvent.HandshakeFailed, (await notices.Reader.ReadAsync(Cancelled)).Event);
    }

    [Fact]
    public async Task Texts_end_the_connection()
    {
        await using var listener = Listen();
        using var client = await UpgradeAsync(listener);
        await client.SendAsync("hello"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, Cancelled);

        await AssertToldAsync("binary");
    }

    [Fact]
    public async Task A_goodbye_before_AMQP_ends_the_connection()
    {
        await using var listener = Listen();
        using var client = await UpgradeAsync(listener);
        await client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "changed my mind", Cancelled);

        Assert.Equal(ListenerEvent.HandshakeFailed, (await notices.Reader.ReadAsync(Cancelled)).Event);
    }

    [Fact]
    public async Task Empty_messages_and_split_frames_mean_nothing()
    {
        await using var listener = Listen();
        using var client = await UpgradeAsync(listener);
        var header = "AMQP\u0003\u0001\u0000\u0000"u8.ToArray();
        await client.SendAsync(Array.Empty<byte>(), WebSocketMessageType.Binary, endOfMessage: true, Cancelled);
        foreach (var one in header)
        {
            await client.SendAsync(new[] { one }, WebSocketMessageType.Binary, endOfMessage: one % 2 == 0, Cancelled);
        }

        var answer = new byte[8];
        var read = 0;
        while (read < answer.Length)
        {
            read += (await client.ReceiveAsync(answer.AsMemory(read), Cancelled)).Count;
        }

        Assert.Equal(header, answer);
    }

    [Fact]
    public void Any_bytes_are_a_request_or_none() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                ArbMap.Default.ArbFor<byte[]>(),
                static bytes =>
                {
                    UpgradeRequest.Parse(new System.Buffers.ReadOnlySequence<byte>([.. "GET /"u8, .. bytes]));
                    UpgradeRequest.Parse(new System.Buffers.ReadOnlySequence<byte>([.. "GET / HTTP/1.1\r\n"u8, .. bytes]));
                    return true;
                }
            )
        );

    private AmqpListener Listen() =>
        AmqpListener.Start(new AmqpListenerOptions { WebSocketPath = Path, Notice = notice => notices.Writer.TryWrite(notice) }, static _ => new AnyLink());

    private static async Task<Socket> ConnectAsync(AmqpListener listener)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndPoint, Cancelled);
        return socket;
    }

    private static async Task<ClientWebSocket> UpgradeAsync(AmqpListener listener)
    {
        var client = new ClientWebSocket();
        client.Options.AddSubProtocol("amqp");
        await client.ConnectAsync(new Uri($"ws://{listener.LocalEndPoint}{Path}"), Cancelled);
        return client;
    }

    private async Task AssertToldAsync(string said)
    {
        var notice = await notices.Reader.ReadAsync(Cancelled);
        Assert.Equal(ListenerEvent.HandshakeFailed, notice.Event);
        Assert.Contains(said, notice.Exception?.Message ?? "", StringComparison.Ordinal);
    }

    private static Task<string> ReadHeadAsync(Socket socket) => ReadAsync(socket, static text => text.Contains("\r\n\r\n", StringComparison.Ordinal));

    private static Task<string> ReadAllAsync(Socket socket) => ReadAsync(socket, static _ => false);

    private static async Task<string> ReadAsync(Socket socket, Func<string, bool> suffices)
    {
        var text = new StringBuilder();
        var buffer = new byte[1_024];
        while (!suffices(text.ToString()) && await socket.ReceiveAsync(buffer, Cancelled) is > 0 and var read)
        {
            text.Append(Encoding.ASCII.GetString(buffer, 0, read));
        }

        return text.ToString();
    }
}
