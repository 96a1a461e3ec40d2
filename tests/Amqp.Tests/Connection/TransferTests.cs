using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class TransferTests
{
    private static readonly int[] Sizes = [0, 1, 100, 400, 512, 5_000, 70_000];

    public static TheoryData<uint, uint, uint, SenderSettleMode> Combinations()
    {
        var data = new TheoryData<uint, uint, uint, SenderSettleMode>();
        foreach (var frame in new[] { 512u, 65_536u })
        {
            foreach (var window in new[] { 1u, 2_048u })
            {
                foreach (var credit in new[] { 1u, 1_000u })
                {
                    foreach (var mode in Enum.GetValues<SenderSettleMode>())
                    {
                        data.Add(frame, window, credit, mode);
                    }
                }
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Combinations))]
    public async Task Each_message_to_a_listener_arrives_once_and_in_order(uint frame, uint window, uint credit, SenderSettleMode mode)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var payloads = new ConcurrentQueue<ReadOnlyMemory<byte>>();
        var limits = new AmqpListenerOptions { MaxFrameSize = frame, SessionWindow = window };
        await using (var pair = await LoopbackPair.StartAsync(Serving.Collect(payloads, credit), cancellationToken, limits))
        {
            var session = await pair.BeginAsync(cancellationToken);
            var sender = await session.AttachSenderAsync(Serving.To("s") with { SndSettleMode = mode }, cancellationToken);
            Assert.Equal(mode, sender.RemoteAttach.SndSettleMode);
            var outcomes = Enumerable.Range(0, 60).Select(i => sender.SendAsync(Payload(i), 0, cancellationToken).AsTask());
            Assert.All(await Task.WhenAll(outcomes), outcome => Assert.IsType<Accepted>(outcome));

            // Settled messages have no outcome: what was sent before a clean end has arrived all the same.
            await session.EndAsync(null, cancellationToken);
        }

        AssertAll(60, payloads);
    }

    [Theory]
    [InlineData(512u, 1u, 1u)]
    [InlineData(512u, 2_048u, 1_000u)]
    [InlineData(65_536u, 1u, 1_000u)]
    [InlineData(65_536u, 2_048u, 1u)]
    public async Task Each_message_from_a_listener_arrives_once_and_in_order(uint frame, uint window, uint credit)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            async request =>
            {
                var sender = request.AcceptSender(new LinkAnswer());
                for (var i = 0; i < 60; i++)
                {
                    await sender.WaitForCreditAsync(CancellationToken.None);
                    await sender.TransferAsync(new ReadOnlySequence<byte>(Payload(i)), default, CancellationToken.None);
                }
            },
            cancellationToken,
            client: options => options with { MaxFrameSize = frame }
        );
        var session = await pair.Client.BeginSessionAsync(new AmqpSessionOptions { IncomingWindow = window }, cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 0, cancellationToken);
        receiver.SetPrefetch(credit);
        var payloads = new ConcurrentQueue<ReadOnlyMemory<byte>>();
        for (var i = 0; i < 60; i++)
        {
            var delivery = await receiver.ReceiveAsync(cancellationToken);
            payloads.Enqueue(delivery.Payload);
            receiver.Settle(delivery, Accepted.Instance);
        }

        AssertAll(60, payloads);
        Assert.False(receiver.TryReceive(out _));
    }

    [Fact]
    public async Task Two_links_of_a_session_share_a_window_of_one_frame_without_mixing_their_messages()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var payloads = new ConcurrentDictionary<string, ConcurrentQueue<ReadOnlyMemory<byte>>>();
        await using var pair = await LoopbackPair.StartAsync(
            request => Serving.Collect(payloads.GetOrAdd(request.Attach.Name, _ => []), 10)(request),
            cancellationToken,
            new AmqpListenerOptions { MaxFrameSize = 512, SessionWindow = 1 }
        );
        var session = await pair.BeginAsync(cancellationToken);
        var senders = new[]
        {
            await session.AttachSenderAsync(Serving.To("a"), cancellationToken),
            await session.AttachSenderAsync(Serving.To("b"), cancellationToken),
        };
        await Task.WhenAll(Enumerable.Range(0, 40).SelectMany(i => senders.Select(sender => sender.SendAsync(Payload(i % 6), 0, cancellationToken).AsTask())));

        Assert.All(
            ["a", "b"],
            name => Assert.Equal(Enumerable.Range(0, 40).Select(i => Payload(i % 6).Length), payloads[name].Select(payload => payload.Length))
        );
    }

    [Fact]
    public async Task A_transfer_without_credit_waits_for_it_and_can_be_cancelled()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var accepted = new TaskCompletionSource<AmqpReceiver>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                accepted.SetResult(request.AcceptReceiver(new LinkAnswer(), 0));
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var receiver = await accepted.Task;
        using var patience = new CancellationTokenSource();
        var given = sender.SendAsync(Payload(1), 0, patience.Token).AsTask();
        var kept = sender.SendAsync(Payload(2), 0, cancellationToken).AsTask();
        Assert.False(given.IsCompleted);
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);

        receiver.AddCredit(5);
        var delivery = await receiver.ReceiveAsync(cancellationToken);
        Assert.Equal(Payload(2), delivery.Payload.ToArray());
        receiver.Settle(delivery, Accepted.Instance);
        Assert.IsType<Accepted>(await kept);
        Assert.Equal(4u, receiver.Credit);
    }

    [Fact]
    public async Task A_half_sent_message_that_is_cancelled_is_aborted_and_the_next_one_arrives_whole()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        using var listening = RawPeer.Listen();
        var first = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var serving = RawPeer.ServeAsync(
            listening,
            async peer =>
            {
                // A window of two frames, so that the message of three stops in the middle.
                await peer.ReadAsync<Begin>(cancellationToken);
                await peer.WriteAsync(
                    0,
                    new Begin
                    {
                        RemoteChannel = 0,
                        IncomingWindow = 2,
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
                        IncomingWindow = 2,
                        OutgoingWindow = 100,
                        Handle = 0,
                        DeliveryCount = 0,
                        LinkCredit = 10,
                    }
                );
                var frames = new List<Transfer> { await peer.ReadAsync<Transfer>(cancellationToken), await peer.ReadAsync<Transfer>(cancellationToken) };
                first.SetResult();
                await cancelled.Task;

                // Not even an abort may pass a closed window: the answer to this comes first.
                await peer.WriteAsync(
                    0,
                    new Flow
                    {
                        NextIncomingId = 2,
                        IncomingWindow = 0,
                        OutgoingWindow = 100,
                        Echo = true,
                    },
                    cancellationToken
                );
                Assert.IsType<Flow>((await peer.ReadFrameAsync(cancellationToken))!.Value.Performative);
                await peer.WriteAsync(
                    0,
                    new Flow
                    {
                        NextIncomingId = 2,
                        IncomingWindow = 100,
                        OutgoingWindow = 100,
                    },
                    cancellationToken
                );
                frames.Add(await peer.ReadAsync<Transfer>(cancellationToken));
                frames.Add(await peer.ReadAsync<Transfer>(cancellationToken));
                return frames;
            },
            new Open { ContainerId = "raw", MaxFrameSize = 512 },
            cancellationToken
        );
        await using var connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions { Host = "127.0.0.1", Port = ((System.Net.IPEndPoint)listening.LocalEndPoint!).Port },
            cancellationToken
        );
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        using var patience = new CancellationTokenSource();
        var given = sender.TransferAsync(new ReadOnlySequence<byte>(new byte[1_400]), default, patience.Token).AsTask();
        await first.Task.WaitAsync(cancellationToken);
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        cancelled.SetResult();
        await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[10]), default, cancellationToken);

        var seen = await serving;
        Assert.Equal([true, true, false, false], seen.Select(transfer => transfer.More));
        Assert.Equal([false, false, true, false], seen.Select(transfer => transfer.Aborted));
        Assert.Equal(1u, seen[3].DeliveryId);
    }

    [Fact]
    public async Task A_message_over_the_receivers_limit_is_not_sent()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                request.AcceptReceiver(new LinkAnswer { MaxMessageSize = 1_000 }, 10);
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        Assert.Equal(1_000ul, sender.MaxMessageSize);
        var refused = await Assert.ThrowsAsync<AmqpException>(() => sender.SendAsync(new byte[1_001], 0, cancellationToken).AsTask());
        Assert.Equal(ErrorCondition.MessageSizeExceeded, refused.Error.Condition.Value);
        Assert.True(sender.IsOpen);
    }

    private static byte[] Payload(int index)
    {
        var payload = new byte[4 + Sizes[index % Sizes.Length]];
        Array.Fill(payload, (byte)index);
        BitConverter.TryWriteBytes(payload, index);
        return payload;
    }

    private static void AssertAll(int count, ConcurrentQueue<ReadOnlyMemory<byte>> payloads)
    {
        Assert.Equal(count, payloads.Count);
        Assert.All(payloads.Index(), item => Assert.True(item.Item.Span.SequenceEqual(Payload(item.Index)), $"message {item.Index} differs"));
    }
}
