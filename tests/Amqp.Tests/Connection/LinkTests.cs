using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class LinkTests
{
    private static readonly AmqpError NotFound = new(ErrorCondition.NotFound, "The messaging entity 'x' could not be found.");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_refused_link_throws_the_peers_error_and_leaves_the_session_usable(bool sending)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var refusals = 0;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                if (Interlocked.Increment(ref refusals) == 1)
                {
                    request.Refuse(NotFound);
                    return Task.CompletedTask;
                }

                return Serving.Accept(request);
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var refused = await Assert.ThrowsAsync<AmqpException>(() => AttachAsync(session, sending, cancellationToken));
        Assert.Equal(AmqpErrorScope.Link, refused.Scope);
        Assert.Equal(ErrorCondition.NotFound, refused.Error.Condition.Value);
        Assert.Equal(NotFound.Description, refused.Error.Description);

        var link = await AttachAsync(session, sending, cancellationToken);
        Assert.True(link.IsOpen);
        Assert.Equal(0u, link.LocalAttach.Handle);
    }

    [Fact]
    public async Task A_refusal_on_the_wire_has_neither_source_nor_target_and_a_closing_detach()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new Acceptor(request => request.Refuse(NotFound)));
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin { IncomingWindow = 10, OutgoingWindow = 10 },
            Serving.To("s") with
            {
                SndSettleMode = SenderSettleMode.Settled,
                InitialDeliveryCount = 0,
            }
        );
        var attach = await peer.ReadAsync<Attach>(cancellationToken);
        Assert.Equal(("s", LinkRole.Receiver, null, null), (attach.Name, attach.Role, attach.Source, attach.Target));
        Assert.Equal(SenderSettleMode.Settled, attach.SndSettleMode);
        var detach = await peer.ReadAsync<Detach>(cancellationToken);
        Assert.True(detach.Closed);
        Assert.Equal(NotFound, detach.Error);

        // Handle 0 is ours again as soon as the detach was answered.
        await peer.WriteAsync(0, cancellationToken, new Detach { Handle = 0, Closed = true }, Serving.To("t") with { InitialDeliveryCount = 0 });
        Assert.Equal("t", (await peer.ReadAsync<Attach>(cancellationToken)).Name);
    }

    [Fact]
    public async Task An_acceptor_that_fails_refuses_the_link_without_telling_the_peer_its_own_words()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(
            new AmqpListenerOptions(),
            _ => new Acceptor(_ => throw new InvalidOperationException("an inner secret"))
        );
        await using var client = await ConnectAsync(listener, cancellationToken);
        var session = await client.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var refused = await Assert.ThrowsAsync<AmqpException>(() => session.AttachSenderAsync(Serving.To("s"), cancellationToken));
        Assert.Equal(ErrorCondition.InternalError, refused.Error.Condition.Value);
        Assert.DoesNotContain("secret", refused.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_acceptor_that_returns_without_an_answer_refuses_the_link()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new Acceptor(_ => { }));
        await using var client = await ConnectAsync(listener, cancellationToken);
        var session = await client.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var refused = await Assert.ThrowsAsync<AmqpException>(() => session.AttachSenderAsync(Serving.To("s"), cancellationToken));
        Assert.Equal(AmqpErrorScope.Link, refused.Scope);
    }

    [Fact]
    public async Task Settle_modes_properties_and_limits_of_the_attach_are_answered()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken, new AmqpListenerOptions { MaxMessageSize = 4_321 });
        var session = await pair.BeginAsync(cancellationToken);
        AmqpMap properties = new() { { new AmqpSymbol("com.microsoft:timeout"), 60_000u } };
        var sender = await session.AttachSenderAsync(
            Serving.To("s") with
            {
                SndSettleMode = SenderSettleMode.Settled,
                Properties = properties,
            },
            cancellationToken
        );
        Assert.Equal(SenderSettleMode.Settled, sender.RemoteAttach.SndSettleMode);
        Assert.Equal(properties, sender.RemoteAttach.Properties);
        Assert.Equal("node", sender.RemoteAttach.Target!.Address);
        var receiver = await session.AttachReceiverAsync(
            Serving.From("r") with
            {
                SndSettleMode = SenderSettleMode.Unsettled,
                RcvSettleMode = ReceiverSettleMode.Second,
            },
            0,
            cancellationToken
        );
        Assert.Equal(SenderSettleMode.Unsettled, receiver.RemoteAttach.SndSettleMode);
        Assert.Equal(ReceiverSettleMode.Second, receiver.RemoteAttach.RcvSettleMode);
        Assert.Equal(0u, receiver.RemoteAttach.InitialDeliveryCount);
    }

    [Fact]
    public async Task A_listener_whose_answer_leaves_the_message_limit_out_states_its_own_and_holds_it()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken, new AmqpListenerOptions { MaxMessageSize = 4_321 });
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        Assert.Equal(4_321ul, sender.MaxMessageSize);
    }

    [Fact]
    public async Task A_detach_with_an_error_ends_what_waits_on_the_link()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        AmqpReceiver? remote = null;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                remote = request.AcceptReceiver(new LinkAnswer(), 1);
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var unsettled = sender.SendAsync(new byte[1], 0, cancellationToken).AsTask();
        var waiting = sender.SendAsync(new byte[2], 0, cancellationToken).AsTask();
        await remote!.ReceiveAsync(cancellationToken);
        await remote.DetachAsync(new AmqpError(ErrorCondition.LinkStolen, "another reader"), cancellationToken);

        Assert.Equal(ErrorCondition.LinkStolen, (await sender.Completion.WaitAsync(cancellationToken))!.Condition.Value);
        foreach (var send in new[] { unsettled, waiting, sender.SendAsync(new byte[3], 0, cancellationToken).AsTask() })
        {
            var error = await Assert.ThrowsAsync<AmqpException>(() => send);
            Assert.Equal(AmqpErrorScope.Link, error.Scope);
            Assert.Equal(ErrorCondition.LinkStolen, error.Error.Condition.Value);
        }

        Assert.False(sender.IsOpen);
        Assert.True(session.IsOpen);
    }

    [Fact]
    public async Task A_receiver_gives_out_what_came_before_the_detach_and_then_its_error()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            async request =>
            {
                var sender = request.AcceptSender(new LinkAnswer());
                await sender.WaitForCreditAsync(CancellationToken.None);
                await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[7]), new OutgoingTransfer { Settled = true }, CancellationToken.None);
                await sender.DetachAsync(new AmqpError(ErrorCondition.DetachForced, "maintenance"), CancellationToken.None);
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 10, cancellationToken);
        await receiver.Completion.WaitAsync(cancellationToken);
        Assert.Equal(7, (await receiver.ReceiveAsync(cancellationToken)).Payload.Length);
        var error = await Assert.ThrowsAsync<AmqpException>(() => receiver.ReceiveAsync(cancellationToken).AsTask());
        Assert.Equal("maintenance", error.Error.Description);
    }

    [Fact]
    public async Task Names_handles_and_channels_can_be_used_again_right_after_their_end()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var payloads = new ConcurrentQueue<ReadOnlyMemory<byte>>();
        await using var pair = await LoopbackPair.StartAsync(Serving.Collect(payloads, 10), cancellationToken);
        for (var round = 0; round < 20; round++)
        {
            var session = await pair.BeginAsync(cancellationToken);
            for (var again = 0; again < 3; again++)
            {
                var sender = await session.AttachSenderAsync(Serving.To("same"), cancellationToken);
                Assert.Equal(0u, sender.LocalAttach.Handle);
                await sender.SendAsync(new byte[1], 0, cancellationToken);
                await sender.DetachAsync(null, cancellationToken);
            }

            await session.EndAsync(null, cancellationToken);
        }

        Assert.Equal(60, payloads.Count);
    }

    [Fact]
    public async Task Frames_pipelined_after_begin_and_attach_are_kept_until_the_link_is_accepted()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var mayAnswer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new SlowAcceptor(mayAnswer.Task));
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);

        // An end and a new begin on the same channel in one piece as well: state goes with the end.
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin { IncomingWindow = 10, OutgoingWindow = 10 },
            new End(),
            new Begin { IncomingWindow = 10, OutgoingWindow = 10 },
            Serving.From("r") with
            {
                Role = LinkRole.Receiver,
                Handle = 3,
            },
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 10,
                OutgoingWindow = 10,
                Handle = 3,
                DeliveryCount = 0,
                LinkCredit = 1,
            }
        );
        await peer.ReadAsync<Begin>(cancellationToken);
        await peer.ReadAsync<End>(cancellationToken);
        await peer.ReadAsync<Begin>(cancellationToken);
        mayAnswer.SetResult();

        // Never a transfer before the attach.
        Assert.IsType<Attach>((await peer.ReadFrameAsync(cancellationToken))!.Value.Performative);
        Assert.IsType<Transfer>((await peer.ReadFrameAsync(cancellationToken))!.Value.Performative);
    }

    [Fact]
    public async Task A_caller_that_waits_on_a_link_that_we_ended_gets_our_reason()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        using var listening = RawPeer.Listen();
        var serving = RawPeer.ServeAsync(
            listening,
            async peer =>
            {
                await peer.ReadAsync<Begin>(cancellationToken);
                await peer.WriteAsync(
                    0,
                    new Begin
                    {
                        RemoteChannel = 0,
                        IncomingWindow = 10,
                        OutgoingWindow = 10,
                    },
                    cancellationToken
                );
                var attach = await peer.ReadAsync<Attach>(cancellationToken);

                // A message for which there is no credit, and an answer to the following detach without an error.
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
                var detach = await peer.ReadAsync<Detach>(cancellationToken);
                await peer.WriteAsync(0, new Detach { Handle = 0 }, cancellationToken);
                await peer.IsHungUpAsync(cancellationToken);
                return detach.Error!.Condition.Value;
            },
            new Open { ContainerId = "raw" },
            cancellationToken
        );
        await using (
            var connection = await AmqpConnection.ConnectAsync(
                new AmqpConnectionOptions
                {
                    Host = "127.0.0.1",
                    Port = ((IPEndPoint)listening.LocalEndPoint!).Port,
                    OperationTimeout = TimeSpan.FromSeconds(20),
                },
                cancellationToken
            )
        )
        {
            var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
            var receiver = await session.AttachReceiverAsync(Serving.From("r"), 0, cancellationToken);
            var ended = await Assert.ThrowsAsync<AmqpException>(() => receiver.ReceiveAsync(cancellationToken).AsTask());
            Assert.Equal((AmqpErrorScope.Link, ErrorCondition.TransferLimitExceeded), (ended.Scope, ended.Error.Condition.Value));
            connection.Abort(null);
        }

        Assert.Equal(ErrorCondition.TransferLimitExceeded, await serving);
    }

    private static async Task<AmqpLink> AttachAsync(AmqpSession session, bool sending, CancellationToken cancellationToken) =>
        sending
            ? await session.AttachSenderAsync(Serving.To("link"), cancellationToken)
            : await session.AttachReceiverAsync(Serving.From("link"), 5, cancellationToken);

    private static Task<AmqpConnection> ConnectAsync(AmqpListener listener, CancellationToken cancellationToken) =>
        AmqpConnection.ConnectAsync(new AmqpConnectionOptions { Host = "127.0.0.1", Port = listener.LocalEndPoint.Port }, cancellationToken);

    private sealed class Acceptor(Action<LinkRequest> answer) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            answer(request);
            return ValueTask.CompletedTask;
        }
    }

    private sealed class SlowAcceptor(Task mayAnswer) : ILinkAcceptor
    {
        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            await mayAnswer;
            var sender = request.AcceptSender(new LinkAnswer());
            await sender.WaitForCreditAsync(cancellationToken);
            await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[1]), new OutgoingTransfer { Settled = true }, cancellationToken);
        }
    }
}
