using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Callers that wait for messages: any number concurrently, until a message, the link's end or their own cancellation.</summary>
public sealed class ReceivingTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Waiting_receivers_get_one_message_each_in_the_order_of_their_calls()
    {
        await using var sending = await Sending.StartAsync();
        var waits = Enumerable.Range(0, 20).Select(_ => sending.Receiver.ReceiveAsync(Cancelled).AsTask()).ToList();
        sending.Receiver.AddCredit(20);
        await sending.SendAsync(20);
        Assert.Equal(Enumerable.Range(0, 20), (await Task.WhenAll(waits)).Select(static delivery => (int)delivery.Payload.Span[0]));
    }

    [Fact]
    public async Task A_window_is_granted_again_although_no_delivery_was_ever_queued()
    {
        await using var sending = await Sending.StartAsync();
        sending.Receiver.SetPrefetch(2);
        for (var number = 0; number < 20; number++)
        {
            var wait = sending.Receiver.ReceiveAsync(Cancelled);
            await sending.SendAsync(1);
            Assert.Equal(number, (await wait).Payload.Span[0]);
        }
    }

    [Fact]
    public async Task A_cancelled_receive_takes_no_message_and_leaves_other_receivers_waiting()
    {
        await using var sending = await Sending.StartAsync();
        using var impatient = new CancellationTokenSource();
        var before = sending.Receiver.ReceiveAsync(Cancelled).AsTask();
        var given = sending.Receiver.ReceiveAsync(impatient.Token).AsTask();
        var after = sending.Receiver.ReceiveAsync(Cancelled).AsTask();
        await impatient.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        Assert.Equal(impatient.Token, cancelled.CancellationToken);

        sending.Receiver.AddCredit(2);
        await sending.SendAsync(2);
        Assert.Equal((0, 1), ((await before).Payload.Span[0], (await after).Payload.Span[0]));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending.Receiver.ReceiveAsync(impatient.Token).AsTask());
    }

    // The message has one receiver in any order of events.
    [Fact]
    public async Task A_message_that_crosses_a_cancellation_is_taken_or_still_there()
    {
        const int Rounds = 2_000;
        await using var sending = await Sending.StartAsync();
        sending.Receiver.SetPrefetch(4);
        List<int> numbers = [];
        var gaveUp = 0;
        for (var round = 0; round < Rounds; round++)
        {
            using var impatient = new CancellationTokenSource();
            var wait = sending.Receiver.ReceiveAsync(impatient.Token);
            await sending.SendAsync(1);

            // About as long as a message takes, more and less.
            Thread.SpinWait(200 * (round % 200));
            await impatient.CancelAsync();
            try
            {
                numbers.Add((await wait).Payload.Span[0]);
            }
            catch (OperationCanceledException)
            {
                gaveUp++;
                numbers.Add((await sending.Receiver.ReceiveAsync(Cancelled)).Payload.Span[0]);
            }
        }

        Assert.Equal(Enumerable.Range(0, Rounds).Select(static number => number % 256), numbers);
        TestContext.Current.TestOutputHelper!.WriteLine($"{gaveUp} of {Rounds} gave up before their message came");
    }

    [Fact]
    public async Task The_end_of_a_link_ends_every_wait_with_its_error()
    {
        await using var sending = await Sending.StartAsync();
        var waits = Enumerable.Range(0, 3).Select(_ => sending.Receiver.ReceiveAsync(Cancelled).AsTask()).ToList();
        await sending.Sender.DetachAsync(new AmqpError(ErrorCondition.DetachForced, "maintenance"), Cancelled);
        foreach (var wait in waits)
        {
            Assert.Equal("maintenance", (await Assert.ThrowsAsync<AmqpException>(() => wait)).Error.Description);
        }
    }

    [Fact]
    public async Task A_wait_is_awaited_once()
    {
        await using var sending = await Sending.StartAsync();
        sending.Receiver.SetPrefetch(2);
        var wait = sending.Receiver.ReceiveAsync(Cancelled);
        await sending.SendAsync(2);
        await wait;
#pragma warning disable CA2012 // The second time is what is tested.
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await wait);
#pragma warning restore CA2012
        Assert.Equal(1, (await sending.Receiver.ReceiveAsync(Cancelled)).Payload.Span[0]);
    }

    // The answer that the caller waits for comes over the connection whose thread it was given.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_caller_with_an_answer_may_block_for_any_time(bool receives)
    {
        await using var sending = await Sending.StartAsync();
        sending.Receiver.SetPrefetch(100);
        var back = await sending.Session.AttachSenderAsync(Serving.To("back"), Cancelled);
        await Task.Run(
            async () =>
            {
                for (var round = 0; round < 50; round++)
                {
                    if (receives)
                    {
                        var wait = sending.Receiver.ReceiveAsync(Cancelled);
                        await sending.SendAsync(1);
                        await wait;
                    }
                    else
                    {
                        await back.SendAsync(new byte[1], 0, Cancelled);
                    }

                    // On the thread on which the answer came.
                    using var answered = new ManualResetEventSlim();
                    back.SendAsync(new byte[1], 0, Cancelled).AsTask().GetAwaiter().UnsafeOnCompleted(answered.Set);
                    answered.Wait(Cancelled);
                }
            },
            Cancelled
        );
    }

    // The session did not accept it, so no caller may get it as a message.
    [Fact]
    public async Task A_delivery_that_its_session_refused_is_not_delivered()
    {
        var accepted = new TaskCompletionSource<AmqpReceiver>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                accepted.SetResult(request.AcceptReceiver(new LinkAnswer(), 10));
                return Task.CompletedTask;
            },
            Cancelled,
            new AmqpListenerOptions { UnsettledLimit = 3 }
        );
        var session = await pair.BeginAsync(Cancelled);
        var sender = await session.AttachSenderAsync(Serving.To("s"), Cancelled);
        var sends = Enumerable.Range(0, 4).Select(number => sender.SendAsync(new[] { (byte)number }, 0, Cancelled).AsTask()).ToList();
        foreach (var send in sends)
        {
            await Assert.ThrowsAsync<AmqpException>(() => send);
        }

        var receiver = await accepted.Task;
        for (var number = 0; number < 3; number++)
        {
            Assert.Equal(number, (await receiver.ReceiveAsync(Cancelled)).Payload.Span[0]);
        }

        var error = await Assert.ThrowsAsync<AmqpException>(() => receiver.ReceiveAsync(Cancelled).AsTask());
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, error.Error.Condition.Value);
    }

    // A listener that sends on demand: each message is its number's last byte.
    private sealed class Sending : IAsyncDisposable
    {
        private readonly LoopbackPair pair;
        private int sent;

        private Sending(LoopbackPair pair, AmqpSession session, AmqpReceiver receiver, AmqpSender sender)
        {
            this.pair = pair;
            Session = session;
            Receiver = receiver;
            Sender = sender;
        }

        public AmqpSession Session { get; }

        public AmqpReceiver Receiver { get; }

        public AmqpSender Sender { get; }

        public static async Task<Sending> StartAsync()
        {
            var accepted = new TaskCompletionSource<AmqpSender>(TaskCreationOptions.RunContinuationsAsynchronously);
            var joined = await LoopbackPair.StartAsync(
                request =>
                {
                    if (request.PeerIsSender)
                    {
                        return Serving.Collect([], 10)(request);
                    }

                    accepted.SetResult(request.AcceptSender(new LinkAnswer()));
                    return Task.CompletedTask;
                },
                Cancelled
            );
            var session = await joined.BeginAsync(Cancelled);
            var receiver = await session.AttachReceiverAsync(Serving.From("r"), 0, Cancelled);
            return new Sending(joined, session, receiver, await accepted.Task.WaitAsync(Cancelled));
        }

        public async Task SendAsync(int count)
        {
            for (var one = 0; one < count; one++)
            {
                await Sender.TransferAsync(new ReadOnlySequence<byte>(new[] { (byte)sent++ }), new OutgoingTransfer { Settled = true }, Cancelled);
            }
        }

        public ValueTask DisposeAsync() => pair.DisposeAsync();
    }
}
