using System.Net.Sockets;
using System.Threading.Channels;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>An exception that a listener swallows at its edge is reported once.</summary>
public sealed class ListenerNoticeTests
{
    private readonly Channel<ListenerNotice> received = Channel.CreateUnbounded<ListenerNotice>();

    private AmqpListenerOptions Options => new() { Notice = notice => received.Writer.TryWrite(notice) };

    [Fact]
    public async Task A_peer_that_speaks_another_protocol()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(Options, static _ => throw new InvalidOperationException("nobody gets in"));
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(listener.LocalEndPoint, cancellationToken);
        await socket.SendAsync("GET / HTTP/1.1\r\n\r\n"u8.ToArray(), cancellationToken);

        var notice = await received.Reader.ReadAsync(cancellationToken);
        Assert.Equal(ListenerEvent.HandshakeFailed, notice.Event);
        Assert.Equal(((System.Net.IPEndPoint)socket.LocalEndPoint!).Port, Assert.IsType<System.Net.IPEndPoint>(notice.Peer).Port);
        Assert.IsType<AmqpException>(notice.Exception);
    }

    [Fact]
    public async Task A_peer_beyond_the_limit()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken, Options with { MaxConnections = 1 });
        await using var second = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions { Host = "127.0.0.1", Port = pair.Listener.LocalEndPoint.Port },
            cancellationToken
        );

        var notice = await received.Reader.ReadAsync(cancellationToken);
        Assert.Equal(ListenerEvent.TurnedAway, notice.Event);
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, notice.Error?.Condition.Value);
    }

    [Fact]
    public async Task A_link_that_is_refused()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            static request =>
            {
                request.Refuse(new AmqpError(ErrorCondition.NotFound, "no such node"));
                return Task.CompletedTask;
            },
            cancellationToken,
            Options
        );
        var session = await pair.BeginAsync(cancellationToken);
        await Assert.ThrowsAsync<AmqpException>(() => session.AttachSenderAsync(Serving.To("link"), cancellationToken));

        var notice = await received.Reader.ReadAsync(cancellationToken);
        Assert.Equal((ListenerEvent.LinkRefused, "node (link)", "no such node"), (notice.Event, notice.Link, notice.Error?.Description));
    }

    [Fact]
    public async Task An_acceptor_that_fails()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var cause = new InvalidOperationException("a bug");
        await using var listener = AmqpListener.Start(Options, _ => new FailingAcceptor(cause));
        await using var client = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions { Host = "127.0.0.1", Port = listener.LocalEndPoint.Port },
            cancellationToken
        );
        var session = await client.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => session.AttachSenderAsync(Serving.To("link"), cancellationToken));
        Assert.DoesNotContain("a bug", refusal.Message, StringComparison.Ordinal);

        var notice = await received.Reader.ReadAsync(cancellationToken);
        Assert.Equal((ListenerEvent.LinkFailed, "node (link)"), (notice.Event, notice.Link));
        Assert.Same(cause, notice.Exception);
        Assert.Equal(ListenerEvent.LinkRefused, (await received.Reader.ReadAsync(cancellationToken)).Event);
    }

    [Fact]
    public async Task A_connection_that_ends_with_an_error_and_none_that_ends_in_order()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken, Options);
        var server = pair.Server;
        await using (
            await AmqpConnection.ConnectAsync(new AmqpConnectionOptions { Host = "127.0.0.1", Port = pair.Listener.LocalEndPoint.Port }, cancellationToken)
        )
        {
            // Closed in order.
        }

        pair.Client.Abort(null);
        await server.Completion;
        var notice = await received.Reader.ReadAsync(cancellationToken);
        Assert.Equal((ListenerEvent.ConnectionEnded, server.RemoteEndPoint), (notice.Event, notice.Peer));
        Assert.NotNull(notice.Error);
        Assert.False(received.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_callback_that_throws_at_the_end_of_a_link_is_reported()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var cause = new InvalidOperationException("a bug");
        var ready = new TaskCompletionSource();
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                request.AcceptSender(new LinkAnswer()).CreditChanged += () => throw cause;
                ready.SetResult();
                return Task.CompletedTask;
            },
            cancellationToken,
            Options
        );
        var session = await pair.BeginAsync(cancellationToken);
        await session.AttachReceiverAsync(Serving.From("link"), 0, cancellationToken);
        await ready.Task;
        pair.Client.Abort(null);

        var collected = new List<ListenerNotice> { await received.Reader.ReadAsync(cancellationToken) };
        collected.Add(await received.Reader.ReadAsync(cancellationToken));
        Assert.Same(cause, Assert.Single(collected, static notice => notice.Event == ListenerEvent.CallFailed).Exception);
    }

    private sealed class FailingAcceptor(Exception cause) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken) => throw cause;
    }
}
