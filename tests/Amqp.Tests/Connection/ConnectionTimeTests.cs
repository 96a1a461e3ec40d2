using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Real sockets, virtual time: nothing here waits for a wall clock.</summary>
public sealed class ConnectionTimeTests
{
    private static readonly TimeSpan Never = TimeSpan.FromHours(10);

    [Theory]
    [InlineData("begin")]
    [InlineData("attach")]
    [InlineData("detach")]
    [InlineData("end")]
    [InlineData("outcome")]
    [InlineData("credit")]
    [InlineData("settle")]
    [InlineData("drain")]
    public async Task An_operation_that_is_not_answered_ends_as_a_time_out(string operation)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        using var listening = RawPeer.Listen();
        using var done = new CancellationTokenSource();
        var serving = RawPeer.ServeAsync(listening, peer => AnswerUntilAsync(peer, operation, done.Token), new Open { ContainerId = "raw" }, cancellationToken);
        await using (var connection = await ConnectAsync(listening, clock, cancellationToken))
        {
            // The clock is paused until only the answer to this is missing.
            var unanswered = await PrepareAsync(connection, operation, cancellationToken);
            var late = await Assert.ThrowsAsync<AmqpException>(async () =>
            {
                var start = clock.Elapsed;
                var task = unanswered();
                while (!task.IsCompleted)
                {
                    Assert.True(clock.Elapsed - start < TimeSpan.FromHours(1), "the operation waits without limit");
                    clock.Advance(TimeSpan.FromSeconds(1));
                    await Task.Yield();
                }

                await task;
            });
            Assert.Equal(AmqpErrorScope.Timeout, late.Scope);
            Assert.True(connection.IsOpen);
            connection.Abort(new AmqpError("test:done"));
        }

        await done.CancelAsync();
        await serving;
    }

    [Fact]
    public async Task A_peer_that_never_opens_ends_as_a_time_out()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        using var listening = RawPeer.Listen();
        var connecting = ConnectAsync(listening, clock, cancellationToken);
        using var silent = await listening.AcceptAsync(cancellationToken);
        while (!connecting.IsCompleted)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }

        Assert.Equal(AmqpErrorScope.Timeout, (await Assert.ThrowsAsync<AmqpException>(() => connecting)).Scope);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_listener_hangs_up_on_a_peer_that_does_not_open_in_time(bool withHeader)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { TimeProvider = clock }, _ => new NoLinks());
        await using var peer = await RawPeer.ConnectAsync(listener, cancellationToken);
        if (withHeader)
        {
            await peer.WriteAsync(ProtocolHeader.Amqp, cancellationToken);
            await peer.ReadHeaderAsync(cancellationToken);
        }

        var end = peer.IsHungUpAsync(cancellationToken);
        while (!end.IsCompleted)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }

        Assert.True(await end);
    }

    [Fact]
    public async Task Heart_beats_are_sent_at_least_twice_in_the_peers_idle_time_out()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { TimeProvider = clock }, _ => new NoLinks());
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken, new Open { ContainerId = "raw", IdleTimeout = 4_000 });
        for (var beat = 0; beat < 5; beat++)
        {
            var frame = peer.ReadFrameAsync(cancellationToken);
            var start = clock.Elapsed;
            while (!frame.IsCompleted && clock.Elapsed - start < TimeSpan.FromSeconds(2))
            {
                clock.Advance(TimeSpan.FromMilliseconds(100));
            }

            // By now it is on its way at any time of the clock.
            Assert.Null((await frame)!.Value.Performative);
        }
    }

    [Fact]
    public async Task A_peer_whose_open_came_with_its_header_gets_its_heart_beats()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { TimeProvider = clock }, _ => new NoLinks());
        // The open is read while the connection still starts. Of many opens, some come at the earliest moment.
        for (var peers = 0; peers < 300; peers++)
        {
            await using var peer = await RawPeer.OpenAsync(listener, cancellationToken, new Open { ContainerId = "raw", IdleTimeout = 4_000 });
            clock.Advance(TimeSpan.FromSeconds(2));
            Assert.Null((await peer.ReadFrameAsync(cancellationToken).WaitAsync(TimeSpan.FromSeconds(20), cancellationToken))!.Value.Performative);
        }
    }

    [Fact]
    public async Task A_silent_peer_is_given_up_after_twice_our_idle_time_out_and_not_before()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        await using var listener = AmqpListener.Start(
            new AmqpListenerOptions { TimeProvider = clock, IdleTimeout = TimeSpan.FromSeconds(20) },
            _ => new NoLinks()
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(0, new Begin { IncomingWindow = 1, OutgoingWindow = 1 }, cancellationToken);
        await peer.ReadAsync<Begin>(cancellationToken);
        var connection = Assert.Single(listener.Connections);
        for (var second = 0; second < 39; second++)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.True(connection.IsOpen);
        for (var second = 0; second < 10; second++)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.NotNull(await connection.Completion.WaitAsync(cancellationToken));
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
    }

    [Fact]
    public async Task A_peer_that_takes_no_bytes_for_thirty_seconds_is_dropped()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        await using var listener = AmqpListener.Start(
            new AmqpListenerOptions
            {
                TimeProvider = clock,
                IdleTimeout = Never,
                WriteQueueLimit = 1_000_000,
            },
            _ => new FloodingAcceptor()
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        var connection = Assert.Single(listener.Connections);
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin { IncomingWindow = 1_000_000, OutgoingWindow = 1 },
            Serving.From("r") with
            {
                Role = LinkRole.Receiver,
            },
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 1_000_000,
                OutgoingWindow = 1,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 1_000_000,
            }
        );
        while (!connection.Completion.IsCompleted)
        {
            cancellationToken.ThrowIfCancellationRequested();
            clock.Advance(TimeSpan.FromMilliseconds(1));
            await Task.Yield();
        }

        Assert.NotNull(await connection.Completion);
    }

    private static Task<AmqpConnection> ConnectAsync(Socket listening, VirtualClock clock, CancellationToken cancellationToken) =>
        AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = ((IPEndPoint)listening.LocalEndPoint!).Port,
                TimeProvider = clock,
                IdleTimeout = Never,
                ConnectTimeout = TimeSpan.FromMinutes(1),
            },
            cancellationToken
        );

    private static async Task<Func<Task>> PrepareAsync(AmqpConnection connection, string operation, CancellationToken cancellationToken)
    {
        if (operation == "begin")
        {
            return () => connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        }

        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        switch (operation)
        {
            case "end":
                return () => session.EndAsync(null, cancellationToken);
            case "attach":
                return () => session.AttachSenderAsync(Serving.To("s"), cancellationToken);
            case "settle" or "drain":
                var receiver = await session.AttachReceiverAsync(Serving.From("r") with { RcvSettleMode = ReceiverSettleMode.Second }, 5, cancellationToken);
                var delivery = await receiver.ReceiveAsync(cancellationToken);
                return () =>
                    operation == "drain" ? receiver.DrainAsync(cancellationToken) : receiver.SettleAsync(delivery, Accepted.Instance, cancellationToken);
        }

        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        return operation == "detach" ? () => sender.DetachAsync(null, cancellationToken) : () => sender.SendAsync(new byte[10], 0, cancellationToken).AsTask();
    }

    // Answers everything before the operation, and nothing from it on.
    private static async Task<bool> AnswerUntilAsync(RawPeer peer, string operation, CancellationToken cancellationToken)
    {
        try
        {
            while (await peer.ReadFrameAsync(cancellationToken) is { } frame)
            {
                switch (frame.Performative)
                {
                    case Begin when operation != "begin":
                        await peer.WriteAsync(
                            0,
                            new Begin
                            {
                                RemoteChannel = 0,
                                IncomingWindow = 100,
                                OutgoingWindow = 100,
                            },
                            cancellationToken
                        );
                        break;
                    case Attach { Role: LinkRole.Sender } attach when operation != "attach":
                        await peer.WriteAsync(
                            0,
                            cancellationToken,
                            attach with
                            {
                                Role = LinkRole.Receiver,
                            },
                            new Flow
                            {
                                NextIncomingId = 0,
                                IncomingWindow = 100,
                                OutgoingWindow = 100,
                                Handle = 0,
                                DeliveryCount = 0,
                                LinkCredit = operation == "credit" ? 0u : 10u,
                            }
                        );
                        break;
                    case Attach { Role: LinkRole.Receiver } attach:
                        await peer.WriteAsync(
                            0,
                            cancellationToken,
                            attach with
                            {
                                Role = LinkRole.Sender,
                                InitialDeliveryCount = 0,
                            },
                            new Transfer
                            {
                                Handle = 0,
                                DeliveryId = 0,
                                DeliveryTag = new byte[] { 1 },
                                MessageFormat = 0,
                            }
                        );
                        break;
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or SocketException)
        {
            // The test has ended.
        }

        return true;
    }

    private sealed class NoLinks : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            request.Refuse(new AmqpError(ErrorCondition.NotAllowed));
            return ValueTask.CompletedTask;
        }
    }

    private sealed class FloodingAcceptor : ILinkAcceptor
    {
        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var sender = request.AcceptSender(new LinkAnswer());
            await sender.WaitForCreditAsync(cancellationToken);
            var payload = new System.Buffers.ReadOnlySequence<byte>(new byte[60_000]);
            while (true)
            {
                await sender.TransferAsync(payload, new OutgoingTransfer { Settled = true }, cancellationToken);
            }
        }
    }
}
