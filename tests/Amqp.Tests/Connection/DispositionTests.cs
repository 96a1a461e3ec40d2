using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>The frames of outcomes: which deliveries one of them settles, and when none is sent.</summary>
public sealed class DispositionTests
{
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
    public async Task No_outcome_is_sent_after_a_detach()
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
