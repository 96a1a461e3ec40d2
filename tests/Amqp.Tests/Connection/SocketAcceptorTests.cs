using System.Net.Sockets;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class SocketAcceptorTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_system_without_descriptors_is_asked_once_in_a_while_until_it_has_one()
    {
        var clock = new VirtualClock();
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        var (asked, failures) = (0, 0);
        var acceptor = new SocketAcceptor(
            _ => ++asked < 4 ? throw new SocketException((int)SocketError.TooManyOpenSockets) : ValueTask.FromResult(socket),
            _ => failures++,
            clock
        );
        var accepting = acceptor.NextAsync(Cancelled);
        for (var pause = 1; pause < 4; pause++)
        {
            Assert.Equal((pause, pause, false), (asked, failures, accepting.IsCompleted));
            clock.Advance(SocketAcceptor.Pause);
        }

        Assert.Same(socket, await accepting);
    }

    [Fact]
    public async Task A_peer_that_has_gone_does_not_keep_the_next_one_waiting()
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        var asked = 0;
        var acceptor = new SocketAcceptor(
            _ => ++asked < 4 ? throw new SocketException((int)SocketError.ConnectionAborted) : ValueTask.FromResult(socket),
            static _ => { },
            new VirtualClock()
        );
        Assert.Same(socket, await acceptor.NextAsync(Cancelled));
    }

    [Fact]
    public async Task A_stop_during_a_pause_ends_the_acceptor_immediately()
    {
        using var stop = new CancellationTokenSource();
        var acceptor = new SocketAcceptor(
            token =>
                token.IsCancellationRequested ? throw new OperationCanceledException(token) : throw new SocketException((int)SocketError.TooManyOpenSockets),
            static _ => { },
            new VirtualClock()
        );
        var accepting = acceptor.NextAsync(stop.Token);
        await stop.CancelAsync();
        Assert.Null(await accepting);
    }
}
