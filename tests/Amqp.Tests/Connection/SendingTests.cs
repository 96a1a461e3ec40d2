using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Sends share the objects that wait for them, one after another. None may receive the end of another one, or send its bytes.</summary>
public sealed class SendingTests
{
    private const int Messages = 40;
    private const byte Overwritten = 0xee;

    /// <summary>What ends a case before all is answered.</summary>
    public enum Break
    {
        /// <summary>Nothing.</summary>
        Never,

        /// <summary>The client drops the socket.</summary>
        Abort,

        /// <summary>The listener detaches the link.</summary>
        Detach,

        /// <summary>The listener drops the socket.</summary>
        PeerAbort,
    }

    [Fact]
    public async Task An_outcome_is_taken_once_and_a_second_look_disturbs_no_later_message()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Collect([], 10), cancellationToken);
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var first = sender.SendAsync(new byte[1], 0, cancellationToken);
        var copy = first;
        await first;
        var second = sender.SendAsync(new byte[1], 0, cancellationToken);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await copy);
        Assert.IsType<Accepted>(await second);
    }

    [Fact]
    public async Task A_delivery_that_was_shown_to_a_caller_does_not_change()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Collect([], 10), cancellationToken);
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var shown = new ConcurrentQueue<OutgoingDelivery>();
        sender.DispositionReceived = (delivery, _, _) => shown.Enqueue(delivery);
        for (var i = 0; i < 5; i++)
        {
            await sender.SendAsync(new byte[1], 0, cancellationToken);
        }

        sender.DispositionReceived = null;
        await sender.SendAsync(new byte[1], 0, cancellationToken);
        Assert.Equal([0u, 1u, 2u, 3u, 4u], shown.Select(static delivery => delivery.DeliveryId));
        Assert.Equal([1, 2, 3, 4, 5], shown.Select(static delivery => (int)delivery.Tag.Span[0]));
        Assert.All(shown, static delivery => Assert.True(delivery is { IsSettled: true, RemoteState.IsCompletedSuccessfully: true }));
    }

    [Fact]
    public async Task Operations_are_used_again()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Collect([], 100), cancellationToken);
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        using var patience = new CancellationTokenSource();
        for (var round = 0; round < 50; round++)
        {
            await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => sender.SendAsync(new byte[10], 0, patience.Token).AsTask()));
        }

        Assert.InRange(sender.OperationsMade, 1, 20);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task Each_waiting_sender_gets_a_separate_exception_when_the_connection_is_lost(int credit)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                request.AcceptReceiver(new LinkAnswer(), (uint)credit);
                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        List<Task> waiting = [.. Enumerable.Range(0, 3).Select(_ => sender.SendAsync(new byte[1], 0, cancellationToken).AsTask())];

        pair.Client.Abort(null);

        List<AmqpException> thrown = [];
        foreach (var task in waiting)
        {
            thrown.Add(await Assert.ThrowsAsync<AmqpException>(() => task));
        }

        Assert.Equal(3, thrown.Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.Single(thrown.Select(static one => (one.Scope, one.Error.Condition)).Distinct());
        Assert.Single(thrown.Select(static one => one.InnerException).Distinct(ReferenceEqualityComparer.Instance));
    }

    [Theory]
    [InlineData(Break.Never)]
    [InlineData(Break.Abort)]
    [InlineData(Break.Detach)]
    [InlineData(Break.PeerAbort)]
    public async Task Each_message_ends_once_with_the_right_outcome_for_any_credit_window_and_caller(Break breaks)
    {
        for (var seed = 0; seed < Math.Max(1, Budget.Cases / 5); seed++)
        {
            await new Case(breaks, Budget.FirstSeed + seed).RunAsync(TestContext.Current.CancellationToken);
        }
    }

    private sealed class Case(Break breaks, int seed)
    {
        private readonly ConcurrentQueue<(int Number, bool IsWhole)> received = [];
        private readonly Random random = new(seed);
        private readonly TaskCompletionSource<AmqpReceiver> accepted = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async Task RunAsync(CancellationToken cancellationToken)
        {
            var limits = new AmqpListenerOptions { MaxFrameSize = Pick(512u, 1_024u, 65_536u), SessionWindow = Pick(1u, 3u, 2_048u) };
            await using var pair = await LoopbackPair.StartAsync(ServeAsync, cancellationToken, limits);
            var session = await pair.Client.BeginSessionAsync(new AmqpSessionOptions { UnsettledLimit = Pick(1, 7, 5_000) }, cancellationToken);
            var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
            var breakAt = random.Next(Messages);
            var sends = new List<Task<(int Number, DeliveryState? State, bool WasCancelled, Exception? Failure)>>();
            for (var number = 0; number < Messages; number++)
            {
                if (number == breakAt)
                {
                    await BreakAsync(pair);
                }

                sends.Add(SendAsync(sender, number, GetGatherWindow()));
                if (random.Next(4) == 0)
                {
                    await Task.Yield();
                }
            }

            var ends = await Task.WhenAll(sends).WaitAsync(TimeSpan.FromSeconds(60), cancellationToken);
            Assert.All(ends, end => Assert.True(IsExpected(end), $"seed {seed}: message {end.Number} ended with {end.State} {end.Failure}"));
            Assert.All(received, message => Assert.True(message.IsWhole, $"seed {seed}: message {message.Number} came garbled"));
            Assert.True(received.Select(static message => message.Number).SequenceEqual(received.Select(static message => message.Number).Order().Distinct()));
            Assert.Empty(
                ends.Where(static end => end.State is not null).Select(static end => end.Number).Except(received.Select(static message => message.Number))
            );
        }

        private static DeliveryState GetOutcome(int number) =>
            (number % 3) switch
            {
                0 => Accepted.Instance,
                1 => Released.Instance,
                _ => new Rejected(new AmqpError("test:no")),
            };

        private T Pick<T>(params T[] values) => values[random.Next(values.Length)];

        private bool IsExpected((int Number, DeliveryState? State, bool WasCancelled, Exception? Failure) end) =>
            end.State is not null ? Equals(end.State, GetOutcome(end.Number))
            : end.Failure is OperationCanceledException ? end.WasCancelled
            : breaks != Break.Never && end.Failure is AmqpException;

        private CancellationTokenSource? GetGatherWindow()
        {
            if (random.Next(3) != 0)
            {
                return null;
            }

            var patience = new CancellationTokenSource();
            ThreadPool.UnsafeQueueUserWorkItem(static given => ((CancellationTokenSource)given!).Cancel(), patience);
            return patience;
        }

        private async Task BreakAsync(LoopbackPair pair)
        {
            switch (breaks)
            {
                case Break.Abort:
                    ThreadPool.UnsafeQueueUserWorkItem(static client => client.Abort(null), pair.Client, preferLocal: false);
                    break;
                case Break.PeerAbort:
                    pair.Server.Abort(null);
                    break;
                case Break.Detach:
                    _ = (await accepted.Task).DetachAsync(new AmqpError("test:enough"), CancellationToken.None);
                    break;
                default:
                    break;
            }
        }

        // The bytes belong to the caller again when the send has ended, and it uses them.
        private async Task<(int Number, DeliveryState? State, bool WasCancelled, Exception? Failure)> SendAsync(
            AmqpSender sender,
            int number,
            CancellationTokenSource? patience
        )
        {
            var payload = new byte[Pick(1, 100, 3_000)];
            payload.AsSpan().Fill((byte)number);
            try
            {
                return (number, await sender.SendAsync(payload, 0, patience?.Token ?? CancellationToken.None), patience is not null, null);
            }
            catch (Exception exception) when (exception is AmqpException or OperationCanceledException)
            {
                return (number, null, patience is not null, exception);
            }
            finally
            {
                payload.AsSpan().Fill(Overwritten);
            }
        }

        private async Task ServeAsync(LinkRequest request)
        {
            var grants = new Random(seed);
            var receiver = request.AcceptReceiver(new LinkAnswer { MaxMessageSize = 1_000_000 }, 0);
            accepted.TrySetResult(receiver);
            while (true)
            {
                if (receiver.Credit == 0)
                {
                    receiver.AddCredit((uint)grants.Next(1, 10));
                }

                var delivery = await receiver.ReceiveAsync(CancellationToken.None);
                var number = delivery.Payload.Span[0];
                received.Enqueue((number, !delivery.Payload.Span.ContainsAnyExcept(number)));
                receiver.Settle(delivery, GetOutcome(number));
            }
        }
    }
}
