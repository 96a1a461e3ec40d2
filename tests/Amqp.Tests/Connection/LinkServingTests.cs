using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>What a listener does with links whose peers ask too much, too often, or never settle.</summary>
public sealed class LinkServingTests
{
    private static readonly Begin Begin = new() { IncomingWindow = 100_000, OutgoingWindow = 100_000 };

    [Fact]
    public async Task A_peer_whose_links_are_refused_again_and_again_loses_its_connection()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(
            static (request, _) =>
            {
                request.Refuse(new AmqpError(ErrorCondition.NotFound, "no"));
                return ValueTask.CompletedTask;
            },
            new AmqpListenerOptions { RefusalLimit = 10 }
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(0, Begin, cancellationToken);
        for (var i = 0; i < 10; i++)
        {
            await peer.WriteAsync(0, cancellationToken, Serving.To($"link {i}") with { InitialDeliveryCount = 0 }, new Detach { Handle = 0, Closed = true });
        }

        Assert.Equal(ErrorCondition.ResourceLimitExceeded, (await peer.ReadAsync<Close>(cancellationToken)).Error!.Condition.Value);
        await peer.WriteAsync(0, new Begin { IncomingWindow = 1, OutgoingWindow = 1 }, cancellationToken);
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
    }

    [Fact]
    public async Task A_refusal_that_finds_no_handle_ends_the_session_and_no_more()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(
            static (request, _) =>
            {
                request.AcceptReceiver(new LinkAnswer(), 1);
                return ValueTask.CompletedTask;
            }
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            Begin with
            {
                HandleMax = 0,
            },
            Serving.To("first") with
            {
                InitialDeliveryCount = 0,
            },
            Serving.To("second") with
            {
                Handle = 1,
                InitialDeliveryCount = 0,
            }
        );
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);
        await peer.WriteAsync(0, cancellationToken, new End(), Begin);
        await peer.ReadAsync<Begin>(cancellationToken);
    }

    [Fact]
    public async Task A_request_that_is_detached_and_finds_no_handle_ends_the_session_and_no_more()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var held = new TaskCompletionSource();
        await using var listener = Listen(
            async (request, stopping) =>
            {
                if (request.Attach.Name == "first")
                {
                    request.AcceptReceiver(new LinkAnswer(), 1);
                    return;
                }

                await held.Task.WaitAsync(stopping);
            }
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Begin with { HandleMax = 0 }, Serving.To("first") with { InitialDeliveryCount = 0 });
        await peer.ReadAsync<Attach>(cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            Serving.To("second") with
            {
                Handle = 1,
                InitialDeliveryCount = 0,
            },
            new Detach { Handle = 1, Closed = true }
        );
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, (await peer.ReadAsync<End>(cancellationToken)).Error!.Condition.Value);
        await peer.WriteAsync(0, cancellationToken, new End(), Begin);
        await peer.ReadAsync<Begin>(cancellationToken);
        held.SetResult();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_peer_that_settles_nothing_still_gets_its_drain_answered_and_its_link_ended(bool drainFirst)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var sent = new SemaphoreSlim(0);
        await using var listener = Listen(
            async (request, stopping) =>
            {
                var sender = request.AcceptSender(new LinkAnswer());
                sender.CreditChanged += static () => { };
                while (true)
                {
                    await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[10]), new OutgoingTransfer(), stopping);
                    sent.Release();
                }
            },
            new AmqpListenerOptions { UnsettledLimit = 50 }
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        var flow = new Flow
        {
            NextIncomingId = 0,
            IncomingWindow = 100_000,
            OutgoingWindow = 1,
            Handle = 0,
            DeliveryCount = 0,
            LinkCredit = 60,
        };
        await peer.WriteAsync(0, cancellationToken, Begin, Serving.From("r") with { Role = LinkRole.Receiver }, flow with { Drain = drainFirst });
        for (var i = 0; i < 50; i++)
        {
            await sent.WaitAsync(cancellationToken);
        }

        if (!drainFirst)
        {
            await peer.WriteAsync(0, flow with { NextIncomingId = 50, DeliveryCount = 0, Drain = true }, cancellationToken);
        }

        var answer = await ReadAsync<Flow>(peer, static found => found.Handle is not null, cancellationToken);
        Assert.Equal((60u, 0u, true), (answer.DeliveryCount, answer.LinkCredit, answer.Drain));
        await peer.WriteAsync(0, new Detach { Handle = 0, Closed = true }, cancellationToken);
        await peer.ReadAsync<Detach>(cancellationToken);
    }

    [Fact]
    public async Task The_attach_answer_comes_before_any_transfer_also_when_credit_was_there_first()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(
            static async (request, stopping) =>
            {
                await request
                    .AcceptSender(new LinkAnswer())
                    .TransferAsync(new ReadOnlySequence<byte>(new byte[10]), new OutgoingTransfer { Settled = true }, stopping);
            }
        );
        for (var i = 0; i < 50; i++)
        {
            await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
            await peer.WriteAsync(
                0,
                cancellationToken,
                Begin,
                Serving.From("r") with
                {
                    Role = LinkRole.Receiver,
                },
                new Flow
                {
                    NextIncomingId = 0,
                    IncomingWindow = 100,
                    OutgoingWindow = 1,
                    Handle = 0,
                    DeliveryCount = 0,
                    LinkCredit = 5,
                }
            );
            await peer.ReadAsync<Begin>(cancellationToken);
            Assert.IsType<Attach>((await peer.ReadFrameAsync(cancellationToken))!.Value.Performative);
            Assert.IsType<Transfer>((await peer.ReadFrameAsync(cancellationToken))!.Value.Performative);
        }
    }

    [Fact]
    public async Task Disposal_of_a_connection_waits_for_the_code_that_serves_its_links()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var mayEnd = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var ended = false;
        var listener = Listen(
            async (request, _) =>
            {
                request.AcceptReceiver(new LinkAnswer(), 1);
                await mayEnd.Task;
                ended = true;
            }
        );
        await using (var peer = await RawPeer.AttachAsync(listener, cancellationToken)) { }

        var disposing = listener.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);
        mayEnd.SetResult();
        await disposing;
        Assert.True(ended);
    }

    [Fact]
    public async Task An_outcome_that_can_no_longer_be_sent_is_reported_as_not_sent()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var results = new ConcurrentQueue<bool>();
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = Listen(
            async (request, stopping) =>
            {
                var receiver = request.AcceptReceiver(new LinkAnswer(), 10);
                var first = await receiver.ReceiveAsync(stopping);
                var second = await receiver.ReceiveAsync(stopping);
                results.Enqueue(receiver.Settle(first, Accepted.Instance));
                results.Enqueue(receiver.Settle(first, Accepted.Instance));
                await receiver.Completion;
                results.Enqueue(receiver.Settle(second, Accepted.Instance));
                over.SetResult();
            }
        );
        await using var peer = await RawPeer.AttachAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Message(0), Message(1));
        await peer.ReadAsync<Disposition>(cancellationToken);
        await peer.WriteAsync(0, new Detach { Handle = 0, Closed = true }, cancellationToken);
        await over.Task.WaitAsync(cancellationToken);
        Assert.Equal([true, false, false], results);
    }

    [Fact]
    public async Task A_callback_that_fails_ends_its_connection_alone()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var listener = Listen(
            static (request, _) =>
            {
                if (request.PeerIsSender)
                {
                    request.AcceptReceiver(new LinkAnswer(), 1);
                }
                else
                {
                    request.AcceptSender(new LinkAnswer()).CreditChanged += static () => throw new InvalidOperationException("a listener's mistake");
                }

                return ValueTask.CompletedTask;
            }
        );
        await using var peer = await RawPeer.OpenAsync(listener, cancellationToken);
        await peer.WriteAsync(0, cancellationToken, Begin, Serving.From("r") with { Role = LinkRole.Receiver });
        await peer.ReadAsync<Attach>(cancellationToken);
        await peer.WriteAsync(
            0,
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                OutgoingWindow = 1,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 5,
            },
            cancellationToken
        );
        Assert.True(await peer.IsHungUpAsync(cancellationToken));
        await using var other = await RawPeer.AttachAsync(listener, cancellationToken);
    }

    private static AmqpListener Listen(Func<LinkRequest, CancellationToken, ValueTask> serve, AmqpListenerOptions? options = null) =>
        AmqpListener.Start(options ?? new AmqpListenerOptions(), _ => new ServingAcceptor(serve));

    private static Transfer Message(int id) =>
        new()
        {
            Handle = 0,
            DeliveryId = (uint)id,
            DeliveryTag = BitConverter.GetBytes(id),
            MessageFormat = 0,
        };

    private static async Task<T> ReadAsync<T>(RawPeer peer, Func<T, bool> wanted, CancellationToken cancellationToken)
        where T : Performative
    {
        while (true)
        {
            var found = await peer.ReadAsync<T>(cancellationToken);
            if (wanted(found))
            {
                return found;
            }
        }
    }

    private sealed class ServingAcceptor(Func<LinkRequest, CancellationToken, ValueTask> serve) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken) => serve(request, cancellationToken);
    }
}
