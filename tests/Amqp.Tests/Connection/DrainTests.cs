using System.Buffers;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class DrainTests
{
    [Fact]
    public async Task A_drain_gives_unused_credit_back_and_later_credit_works()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var accepted = new TaskCompletionSource<AmqpSender>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                var sender = request.AcceptSender(new LinkAnswer());
                sender.CreditChanged += () =>
                {
                    if (sender.DrainRequested)
                    {
                        sender.CompleteDrain();
                    }
                };
                accepted.SetResult(sender);
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 100, cancellationToken);
        var remote = await accepted.Task;
        await remote.WaitForCreditAsync(cancellationToken);
        await remote.TransferAsync(new ReadOnlySequence<byte>(new byte[1]), new OutgoingTransfer { Settled = true }, cancellationToken);

        await receiver.DrainAsync(cancellationToken);
        Assert.Equal(0u, receiver.Credit);
        Assert.Equal(0u, remote.Credit);
        Assert.True(receiver.TryReceive(out _));

        // A second one has nothing to give back.
        await receiver.DrainAsync(cancellationToken);
        receiver.AddCredit(2);
        await remote.WaitForCreditAsync(cancellationToken);
        await remote.TransferAsync(new ReadOnlySequence<byte>(new byte[2]), new OutgoingTransfer { Settled = true }, cancellationToken);
        Assert.Equal(2, (await receiver.ReceiveAsync(cancellationToken)).Payload.Length);
    }

    [Fact]
    public async Task Credit_that_is_given_while_there_is_none_is_counted()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var accepted = new TaskCompletionSource<AmqpSender>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                accepted.SetResult(request.AcceptSender(new LinkAnswer()));
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 1, cancellationToken);
        var remote = await accepted.Task;
        await remote.WaitForCreditAsync(cancellationToken);
        Assert.Equal(1, remote.GrantsWhenEmpty);
        await remote.TransferAsync(new ReadOnlySequence<byte>(new byte[1]), new OutgoingTransfer { Settled = true }, cancellationToken);
        await receiver.ReceiveAsync(cancellationToken);
        Assert.Equal(0u, remote.Credit);
        receiver.AddCredit(3);
        await remote.WaitForCreditAsync(cancellationToken);
        Assert.Equal(2, remote.GrantsWhenEmpty);
    }

    [Fact]
    public async Task A_drain_is_over_when_the_sender_has_used_all_the_credit()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                var sender = request.AcceptSender(new LinkAnswer());
                sender.CreditChanged += () =>
                {
                    while (sender.DrainRequested && sender.Credit > 0)
                    {
                        // The payload is copied before this returns: credit and window are there.
                        Assert.True(
                            sender
                                .TransferAsync(new ReadOnlySequence<byte>(new byte[1]), new OutgoingTransfer { Settled = true }, CancellationToken.None)
                                .AsTask()
                                .IsCompleted
                        );
                    }

                    sender.CompleteDrain();
                };
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 25, cancellationToken);
        await receiver.DrainAsync(cancellationToken);
        var taken = 0;
        while (receiver.TryReceive(out _))
        {
            taken++;
        }

        Assert.Equal(25, taken);
    }

    [Fact]
    public async Task A_drain_on_the_wire_is_answered_with_the_delivery_count_moved_on_and_the_drain_flag_set()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new DrainingAcceptor());
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin { IncomingWindow = 100, OutgoingWindow = 100 },
            Serving.From("r") with
            {
                Role = LinkRole.Receiver,
            }
        );
        await peer.ReadAsync<Attach>(cancellationToken);
        await peer.WriteAsync(
            0,
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                OutgoingWindow = 100,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 9,
                Drain = true,
            },
            cancellationToken
        );
        var answer = await peer.ReadAsync<Flow>(cancellationToken);
        Assert.Equal((0u, 9u, 0u, true), (answer.Handle, answer.DeliveryCount, answer.LinkCredit, answer.Drain));

        // Also when there is nothing to give back.
        await peer.WriteAsync(
            0,
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                OutgoingWindow = 100,
                Handle = 0,
                DeliveryCount = 9,
                LinkCredit = 0,
                Drain = true,
            },
            cancellationToken
        );
        Assert.True((await peer.ReadAsync<Flow>(cancellationToken)).Drain);
    }

    [Fact]
    public async Task A_client_that_only_sends_answers_drains_by_itself()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var accepted = new TaskCompletionSource<AmqpReceiver>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                accepted.SetResult(request.AcceptReceiver(new LinkAnswer(), 50));
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        await sender.WaitForCreditAsync(cancellationToken);
        await (await accepted.Task).DrainAsync(cancellationToken);
        Assert.Equal(0u, sender.Credit);
    }

    [Fact]
    public async Task A_flow_that_asks_for_an_echo_is_answered_for_session_and_link()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new DrainingAcceptor());
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin
            {
                IncomingWindow = 100,
                OutgoingWindow = 100,
                NextOutgoingId = 5,
            },
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                OutgoingWindow = 100,
                NextOutgoingId = 5,
                Echo = true,
            }
        );
        var session = await peer.ReadAsync<Flow>(cancellationToken);
        Assert.Equal((null, 5u, 5_000u), (session.Handle, session.NextIncomingId, session.IncomingWindow));
        await peer.WriteAsync(0, Serving.From("r") with { Role = LinkRole.Receiver }, cancellationToken);
        await peer.ReadAsync<Attach>(cancellationToken);
        await peer.WriteAsync(
            0,
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                OutgoingWindow = 100,
                NextOutgoingId = 5,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 3,
                Echo = true,
            },
            cancellationToken
        );
        Assert.Equal(3u, (await peer.ReadAsync<Flow>(cancellationToken)).LinkCredit);
    }

    [Fact]
    public async Task An_answer_that_crossed_new_credit_leaves_that_credit_to_the_sender()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var acceptor = new ReceivingAcceptor();
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => acceptor);
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        var receiver = await acceptor.Receiver;
        receiver.AddCredit(1);
        var first = receiver.DrainAsync(cancellationToken);
        await peer.WriteAsync(0, GetTransfer(0), cancellationToken);
        await first;
        receiver.AddCredit(2);
        var second = receiver.DrainAsync(cancellationToken);

        // The answer to the first drain, which had ended when its last message came. The peer has not seen the credit of two.
        await peer.WriteAsync(0, cancellationToken, AnswerAt(1), GetTransfer(1), AnswerAt(3));
        await second;

        Assert.Equal(0u, receiver.Credit);
        Assert.Equal(0u, (await receiver.ReceiveAsync(cancellationToken)).DeliveryId);
        Assert.Equal(1u, (await receiver.ReceiveAsync(cancellationToken)).DeliveryId);
        Assert.False(receiver.TryReceive(out _));
    }

    [Fact]
    public async Task Credit_that_is_granted_during_a_drain_is_drained_too()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var acceptor = new ReceivingAcceptor();
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => acceptor);
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        var receiver = await acceptor.Receiver;
        receiver.AddCredit(1);
        var drain = receiver.DrainAsync(cancellationToken);
        receiver.AddCredit(2);
        List<(uint?, bool)> flows = [];
        while (flows.Count < 3)
        {
            var flow = await peer.ReadAsync<Flow>(cancellationToken);
            if (flow.Handle is not null)
            {
                flows.Add((flow.LinkCredit, flow.Drain));
            }
        }

        Assert.Equal([(1u, false), (1u, true), (3u, true)], flows);
        await peer.WriteAsync(0, AnswerAt(3), cancellationToken);
        await drain;
        Assert.Equal(0u, receiver.Credit);
    }

    // While a drain is under way nothing may be granted: what it kept from a receiver is granted when it has ended.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_window_that_was_set_during_a_drain_is_granted_when_it_is_over(bool isAnswered)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var acceptor = new ReceivingAcceptor();
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => acceptor);
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        var receiver = await acceptor.Receiver;
        var waiting = receiver.ReceiveAsync(cancellationToken);
        receiver.AddCredit(1);
        var drain = receiver.DrainAsync(cancellationToken);
        receiver.SetPrefetch(10);
        await peer.WriteAsync(0, isAnswered ? AnswerAt(1) : GetTransfer(0), cancellationToken);
        await drain;
        Assert.Equal(10u, receiver.Credit);
        await peer.WriteAsync(0, GetTransfer(1), cancellationToken);
        Assert.Equal(isAnswered ? 1u : 0u, (await waiting).DeliveryId);
    }

    private static Transfer GetTransfer(uint number) =>
        new()
        {
            Handle = 0,
            DeliveryId = number,
            DeliveryTag = new[] { (byte)number },
            MessageFormat = 0,
            Settled = true,
        };

    private static Flow AnswerAt(uint count) =>
        new()
        {
            NextIncomingId = 0,
            IncomingWindow = 100,
            NextOutgoingId = count,
            OutgoingWindow = 100,
            Handle = 0,
            DeliveryCount = count,
            LinkCredit = 0,
            Drain = true,
        };

    private sealed class DrainingAcceptor : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var sender = request.AcceptSender(new LinkAnswer());
            sender.CreditChanged += () =>
            {
                if (sender.DrainRequested)
                {
                    sender.CompleteDrain();
                }
            };
            return ValueTask.CompletedTask;
        }
    }

    private sealed class ReceivingAcceptor : ILinkAcceptor
    {
        private readonly TaskCompletionSource<AmqpReceiver> accepted = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<AmqpReceiver> Receiver => accepted.Task;

        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            accepted.SetResult(request.AcceptReceiver(new LinkAnswer(), 0));
            return ValueTask.CompletedTask;
        }
    }
}
