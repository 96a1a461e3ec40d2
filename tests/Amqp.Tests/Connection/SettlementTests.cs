using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class SettlementTests
{
    private static readonly DeliveryState[] Outcomes =
    [
        Accepted.Instance,
        Accepted.Instance,
        Released.Instance,
        new Rejected(new AmqpError("test:no", "not today", new AmqpMap { { new AmqpSymbol("why"), "because" } })),
        new Rejected(null),
        new Modified { DeliveryFailed = true, UndeliverableHere = true },
        Accepted.Instance,
    ];

    [Fact]
    public async Task Each_message_gets_its_own_outcome_also_when_many_are_settled_at_once()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            async request =>
            {
                var receiver = request.AcceptReceiver(new LinkAnswer(), 700);
                var deliveries = new List<IncomingDelivery>();
                while (deliveries.Count < 700)
                {
                    deliveries.Add(await receiver.ReceiveAsync(CancellationToken.None));
                }

                foreach (var (index, delivery) in deliveries.Index())
                {
                    receiver.Settle(delivery, Outcomes[index % Outcomes.Length]);
                }
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var results = await Task.WhenAll(Enumerable.Range(0, 700).Select(i => sender.SendAsync(new byte[i], 0, cancellationToken).AsTask()));
        Assert.All(results.Index(), item => Assert.Equal(Outcomes[item.Index % Outcomes.Length].GetType(), item.Item.GetType()));
        var rejected = Assert.IsType<Rejected>(results[3]);
        Assert.Equal("test:no", rejected.Error!.Condition.Value);
        Assert.Equal("because", rejected.Error.Info!.FindString("why"));
        Assert.Equal(new Modified { DeliveryFailed = true, UndeliverableHere = true }, results[5]);
    }

    [Fact]
    public async Task A_settlement_that_cannot_be_sent_any_more_fails_at_once()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            async request => await request.AcceptSender(new LinkAnswer()).SendAsync(new byte[10], 0, cancellationToken),
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r") with { RcvSettleMode = ReceiverSettleMode.Second }, 1, cancellationToken);
        var delivery = await receiver.ReceiveAsync(cancellationToken);
        await session.EndAsync(null, cancellationToken);

        await Assert.ThrowsAsync<AmqpException>(() => receiver.SettleAsync(delivery, Accepted.Instance, cancellationToken));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_credit_of_an_aborted_delivery_is_granted_again(bool byWindow)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var acceptor = new WaitingAcceptor(byWindow);
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => acceptor);
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        Assert.Equal((0u, 1u), await CreditAsync());
        var half = new Transfer
        {
            Handle = 0,
            DeliveryId = 0,
            DeliveryTag = new byte[] { 0 },
            MessageFormat = 0,
            More = true,
        };
        await peer.WriteAsync(0, cancellationToken, half, new Transfer { Handle = 0, Aborted = true });
        Assert.Equal((1u, 1u), await CreditAsync());
        await peer.WriteAsync(0, half with { DeliveryId = 1, DeliveryTag = new byte[] { 1 }, More = false }, cancellationToken);
        Assert.Equal(1, (await acceptor.Received.Task.WaitAsync(cancellationToken)).Tag.Span[0]);

        async Task<(uint Count, uint Credit)> CreditAsync()
        {
            var flow = await peer.ReadAsync<Flow>(cancellationToken);
            return (flow.DeliveryCount!.Value, flow.LinkCredit!.Value);
        }
    }

    [Fact]
    public async Task A_delivery_has_arrived_when_its_first_frame_was_read()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        var acceptor = new WaitingAcceptor(byWindow: true);
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { TimeProvider = clock, IdleTimeout = TimeSpan.FromHours(1) }, _ => acceptor);
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.ReadAsync<Flow>(cancellationToken);
        clock.Advance(TimeSpan.FromSeconds(1));
        var began = clock.GetTimestamp();
        var echo = new Flow
        {
            NextIncomingId = 0,
            IncomingWindow = 100,
            NextOutgoingId = 1,
            OutgoingWindow = 100,
            Echo = true,
        };
        var half = new Transfer
        {
            Handle = 0,
            DeliveryId = 0,
            DeliveryTag = new byte[] { 0 },
            MessageFormat = 0,
            More = true,
        };
        await peer.WriteAsync(0, cancellationToken, half, echo);
        await peer.ReadAsync<Flow>(cancellationToken);
        clock.Advance(TimeSpan.FromSeconds(1));
        await peer.WriteAsync(0, new Transfer { Handle = 0 }, cancellationToken);
        Assert.Equal(began, (await acceptor.Received.Task.WaitAsync(cancellationToken)).ArrivedAt);
    }

    [Fact]
    public async Task Adjacent_dispositions_are_never_joined_when_their_outcomes_differ()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new SettlingAcceptor());
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            Enumerable
                .Range(0, 6)
                .Select(i => new Transfer
                {
                    Handle = 0,
                    DeliveryId = (uint)i,
                    DeliveryTag = new[] { (byte)i },
                    MessageFormat = 0,
                })
        );

        // 0 and 1 accepted, 2 rejected, 3 and 4 accepted, 5 released.
        var seen = new Dictionary<uint, string>();
        while (seen.Count < 6)
        {
            var disposition = await peer.ReadAsync<Disposition>(cancellationToken);
            Assert.True(disposition.Settled);
            Assert.Equal(LinkRole.Receiver, disposition.Role);
            for (var id = disposition.First; id <= (disposition.Last ?? disposition.First); id++)
            {
                seen.Add(id, disposition.State!.GetType().Name);
            }
        }

        Assert.Equal(["Accepted", "Accepted", "Rejected", "Accepted", "Accepted", "Released"], seen.OrderBy(entry => entry.Key).Select(entry => entry.Value));
    }

    [Fact]
    public async Task No_outcome_is_sent_behind_a_detach()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var sent = new TaskCompletionSource<(bool Before, bool Behind)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new DetachingAcceptor(sent));
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            Enumerable
                .Range(0, 2)
                .Select(i => new Transfer
                {
                    Handle = 0,
                    DeliveryId = (uint)i,
                    DeliveryTag = new[] { (byte)i },
                    MessageFormat = 0,
                })
        );

        Assert.Equal((true, false), await sent.Task.WaitAsync(cancellationToken));
        Assert.Equal(0u, (await peer.ReadAsync<Disposition>(cancellationToken)).First);
        await peer.ReadAsync<Detach>(cancellationToken);
        await peer.WriteAsync(0, new Detach { Handle = 0, Closed = true }, cancellationToken);
    }

    [Fact]
    public async Task In_two_phases_the_sender_settles_after_the_receivers_outcome_and_has_the_last_word()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var states = new ConcurrentQueue<DeliveryState?>();
        await using var pair = await LoopbackPair.StartAsync(
            async request =>
            {
                var sender = request.AcceptSender(new LinkAnswer());
                sender.DispositionReceived = (delivery, state, settled) =>
                {
                    Assert.False(settled);
                    states.Enqueue(state);
                    delivery.Settle(state is Released ? new Rejected(new AmqpError("test:lost")) : state!);
                };
                for (var i = 0; i < 3; i++)
                {
                    await sender.TransferAsync(
                        new ReadOnlySequence<byte>(new byte[] { (byte)i }),
                        new OutgoingTransfer { Tag = Guid.NewGuid().ToByteArray() },
                        CancellationToken.None
                    );
                }
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var receiver = await session.AttachReceiverAsync(
            Serving.From("r") with
            {
                SndSettleMode = SenderSettleMode.Unsettled,
                RcvSettleMode = ReceiverSettleMode.Second,
            },
            10,
            cancellationToken
        );
        Assert.Equal(ReceiverSettleMode.Second, receiver.RemoteAttach.RcvSettleMode);
        var first = await receiver.ReceiveAsync(cancellationToken);
        var second = await receiver.ReceiveAsync(cancellationToken);
        var third = await receiver.ReceiveAsync(cancellationToken);
        Assert.Equal(16, first.Tag.Length);

        // Out of order, on purpose.
        Assert.IsType<Modified>(await receiver.SettleAsync(third, new Modified(), cancellationToken));
        Assert.IsType<Accepted>(await receiver.SettleAsync(first, Accepted.Instance, cancellationToken));
        var lost = Assert.IsType<Rejected>(await receiver.SettleAsync(second, Released.Instance, cancellationToken));
        Assert.Equal("test:lost", lost.Error!.Condition.Value);
        Assert.Equal(3, states.Count);
    }

    [Fact]
    public async Task A_disposition_that_spans_all_numbers_settles_what_is_under_way_and_no_more()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var outcomes = new TaskCompletionSource<DeliveryState?[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => new SendingAcceptor(outcomes, 3));
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin { IncomingWindow = 100, OutgoingWindow = 100 },
            Serving.From("r") with
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
                LinkCredit = 10,
            }
        );
        for (var i = 0; i < 3; i++)
        {
            await peer.ReadAsync<Transfer>(cancellationToken);
        }

        await peer.WriteAsync(
            0,
            new Disposition
            {
                Role = LinkRole.Receiver,
                First = 0,
                Last = int.MaxValue,
                Settled = true,
                State = Accepted.Instance,
            },
            cancellationToken
        );
        Assert.All(await outcomes.Task.WaitAsync(cancellationToken), outcome => Assert.IsType<Accepted>(outcome));
    }

    [Fact]
    public async Task A_delivery_settled_without_an_outcome_does_not_count_as_accepted()
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
                        IncomingWindow = 100,
                        OutgoingWindow = 100,
                    },
                    cancellationToken
                );
                var attach = await peer.ReadAsync<Attach>(cancellationToken);
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
                        LinkCredit = 10,
                    }
                );
                await peer.ReadAsync<Transfer>(cancellationToken);
                await peer.WriteAsync(
                    0,
                    new Disposition
                    {
                        Role = LinkRole.Receiver,
                        First = 0,
                        Settled = true,
                    },
                    cancellationToken
                );
                return await peer.IsHungUpAsync(cancellationToken);
            },
            new Open { ContainerId = "raw" },
            cancellationToken
        );
        await using (
            var connection = await AmqpConnection.ConnectAsync(
                new AmqpConnectionOptions { Host = "127.0.0.1", Port = ((System.Net.IPEndPoint)listening.LocalEndPoint!).Port },
                cancellationToken
            )
        )
        {
            var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
            var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
            Assert.IsNotType<Accepted>(await sender.SendAsync(new byte[3], 0, cancellationToken));
            connection.Abort(new AmqpError("test:done"));
        }

        Assert.True(await serving);
    }

    private sealed class WaitingAcceptor(bool byWindow) : ILinkAcceptor
    {
        public TaskCompletionSource<IncomingDelivery> Received { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var receiver = request.AcceptReceiver(new LinkAnswer(), byWindow ? 1u : 0u);
            if (!byWindow)
            {
                receiver.AddCredit(1);
            }

            Received.SetResult(await receiver.ReceiveAsync(cancellationToken));
        }
    }

    private sealed class SettlingAcceptor : ILinkAcceptor
    {
        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var receiver = request.AcceptReceiver(new LinkAnswer(), 100);
            var deliveries = new List<IncomingDelivery>();
            while (deliveries.Count < 6)
            {
                deliveries.Add(await receiver.ReceiveAsync(cancellationToken));
            }

            foreach (var (index, delivery) in deliveries.Index())
            {
                receiver.Settle(
                    delivery,
                    index switch
                    {
                        2 => new Rejected(null),
                        5 => Released.Instance,
                        _ => Accepted.Instance,
                    }
                );
            }
        }
    }

    private sealed class DetachingAcceptor(TaskCompletionSource<(bool Before, bool Behind)> sent) : ILinkAcceptor
    {
        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var receiver = request.AcceptReceiver(new LinkAnswer(), 100);
            var first = await receiver.ReceiveAsync(cancellationToken);
            var second = await receiver.ReceiveAsync(cancellationToken);
            var before = receiver.Settle(first, Accepted.Instance);
            var detaching = receiver.DetachAsync(new AmqpError("test:gone"), cancellationToken);
            sent.SetResult((before, receiver.Settle(second, Accepted.Instance)));
            await detaching;
        }
    }

    private sealed class SendingAcceptor(TaskCompletionSource<DeliveryState?[]> outcomes, int count) : ILinkAcceptor
    {
        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var sender = request.AcceptSender(new LinkAnswer());
            var states = new List<Task<DeliveryState?>>();
            for (var i = 0; i < count; i++)
            {
                var delivery = await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[4]), default, cancellationToken);
                states.Add(delivery.RemoteState);
            }

            outcomes.SetResult(await Task.WhenAll(states));
        }
    }
}
