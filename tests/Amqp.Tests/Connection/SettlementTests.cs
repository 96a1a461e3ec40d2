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
    public async Task Each_message_gets_its_own_outcome_also_when_many_are_settled_together()
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
    public async Task A_settlement_that_can_no_longer_be_sent_fails_immediately()
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

        // Out of order, intentionally.
        Assert.IsType<Modified>(await receiver.SettleAsync(third, new Modified(), cancellationToken));
        Assert.IsType<Accepted>(await receiver.SettleAsync(first, Accepted.Instance, cancellationToken));
        var lost = Assert.IsType<Rejected>(await receiver.SettleAsync(second, Released.Instance, cancellationToken));
        Assert.Equal("test:lost", lost.Error!.Condition.Value);
        Assert.Equal(3, states.Count);
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
}
