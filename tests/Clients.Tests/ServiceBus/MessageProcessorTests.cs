using System.Collections.Concurrent;
using EventHubThroughput.Clients.ServiceBus;
using Xunit;

namespace EventHubThroughput.Clients.Tests.ServiceBus;

/// <summary>A processor keeps its limit, its locks and its times, and loses nothing.</summary>
public sealed class MessageProcessorTests : ProcessorInVirtualTime
{
    [Theory(Timeout = Limit)]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(64)]
    public async Task Messages_in_work_and_those_asked_for_never_exceed_the_limit(int limit)
    {
        var receiver = new MemoryReceiver(Clock);
        receiver.Add(500);
        using var stop = new CancellationTokenSource();
        var random = new Random(limit);
        var handling = 0;
        var most = 0;
        var processor = Create(
            receiver,
            async (_, token) =>
            {
                InterlockedMax(ref most, Interlocked.Increment(ref handling));
                await Task.Delay(TimeSpan.FromMilliseconds(GetNext(random, 100)), Clock, token);
                Interlocked.Decrement(ref handling);
                return MessageOutcome.Complete;
            },
            Options(limit)
        );
        await RunAsync(processor, stop, () => processor.Counts.Completed == 500);

        Assert.InRange(most, 1, limit);
        Assert.InRange(processor.Counts.MostHandling, most, limit);
        Assert.Equal(limit, receiver.MostOutstanding);
        Assert.Equal(Enumerable.Range(1, 500).Select(static number => (long)number), receiver.Settled.Select(static one => one.Sequence).Order());
        Assert.Equal((0, 0), (receiver.Locked, processor.Counts.Handling));
        Assert.Empty(Errors);
    }

    [Fact(Timeout = Limit)]
    public async Task A_stop_at_any_moment_leaves_no_message_locked()
    {
        for (var seed = 0; seed < 50; seed++)
        {
            var receiver = new MemoryReceiver(Clock);
            receiver.Add(200);
            using var stop = new CancellationTokenSource();
            var random = new Random(seed);
            var after = random.Next(1, 199);
            var handedAtStop = 0;
            var processor = Create(
                receiver,
                async (message, token) =>
                {
                    if (message.SequenceNumber == after)
                    {
                        await stop.CancelAsync();
                        handedAtStop = receiver.Handed;
                    }

                    await Task.Delay(TimeSpan.FromMilliseconds(GetNext(random, 50)), Clock, token);
                    return message.SequenceNumber % 5 == 0 ? MessageOutcome.Abandon : MessageOutcome.Complete;
                },
                Options(16)
            );
            await RunAsync(processor, stop, static () => false);

            var counts = processor.Counts;
            Assert.Equal(receiver.Handed, receiver.Settled.Count);
            Assert.Equal(receiver.Handed, counts.Completed + counts.Abandoned);
            Assert.Equal((0, 0), (receiver.Locked, counts.Handling));

            // One receive may have been in flight. The thread pool decides how far the others had come when the handler was given a thread.
            Assert.InRange(receiver.Handed, handedAtStop, handedAtStop + 16);
            Assert.Equal(200, receiver.Handed + receiver.Waiting);
        }
    }

    [Theory(Timeout = Limit)]
    [InlineData(MessageOutcome.Complete, "complete")]
    [InlineData(MessageOutcome.Abandon, "abandon")]
    [InlineData(MessageOutcome.Defer, "defer")]
    [InlineData(MessageOutcome.DeadLetter, "dead-letter")]
    [InlineData(MessageOutcome.Settled, null)]
    public async Task A_message_is_settled_by_its_outcome(MessageOutcome outcome, string? settled)
    {
        var receiver = new MemoryReceiver(Clock);
        receiver.Add(1);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, (_, _) => ValueTask.FromResult(outcome), Options(4));
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, MostHandling: 1 });

        Assert.Equal(settled is null ? [] : [(settled, 1L)], receiver.Settled);
        var counts = processor.Counts;
        Assert.Equal(1, counts.Completed + counts.Abandoned + counts.Deferred + counts.DeadLettered + counts.SettledByHandler);
    }

    [Fact(Timeout = Limit)]
    public async Task A_lock_lost_in_the_work_cancels_its_handler_alone_and_counts_once()
    {
        var receiver = new MemoryReceiver(Clock);
        var renew = receiver.OnRenew;
        receiver.OnRenew = message => message.SequenceNumber == 1 ? throw new MessagingException(FailureKind.LockLost, "gone") : renew(message);
        receiver.Add(2);
        using var stop = new CancellationTokenSource();
        var cancelled = new ConcurrentQueue<long>();
        var processor = Create(
            receiver,
            async (message, token) =>
            {
                using var registration = token.Register(() => cancelled.Enqueue(message.SequenceNumber));
                await Task.Delay(TimeSpan.FromSeconds(message.SequenceNumber == 1 ? 3_600 : 20), Clock, token);
                return MessageOutcome.Complete;
            },
            Options(2)
        );
        var running = processor.RunAsync(stop.Token);

        // Two handlers, and the first renewal.
        await WaitAsync(() => Clock.PendingTimers == 3);
        Clock.Advance(MemoryReceiver.LockDuration / 2);
        await WaitAsync(() => processor.Counts.LocksLost == 1);
        Clock.Advance(TimeSpan.FromSeconds(5));
        await WaitAsync(() => processor.Counts.Completed == 1);
        await stop.CancelAsync();
        await running;

        Assert.Equal([1], cancelled);
        Assert.Equal((1, 0), (processor.Counts.Unsettled, processor.Counts.HandlerFailures));
        Assert.Equal([("complete", 2L)], receiver.Settled);
        Assert.Equal(MessageProcessorStep.RenewLock, Assert.Single(Errors).Step);
    }

    [Fact(Timeout = Limit)]
    public async Task Handlers_that_outlast_the_drain_limit_are_cancelled_and_their_messages_abandoned()
    {
        var receiver = new MemoryReceiver(Clock);
        receiver.Add(8);
        using var stop = new CancellationTokenSource();
        var processor = Create(
            receiver,
            async (message, token) =>
            {
                await Task.Delay(message.SequenceNumber % 2 == 0 ? TimeSpan.FromSeconds(5) : TimeSpan.FromHours(1), Clock, token);
                return MessageOutcome.Complete;
            },
            Options(8) with
            {
                DrainLimit = TimeSpan.FromSeconds(10),
                MaximumLockRenewal = TimeSpan.Zero,
            }
        );
        var running = processor.RunAsync(stop.Token);
        await WaitAsync(() => Clock.PendingTimers == 8);
        await stop.CancelAsync();

        // Eight handlers and the limit.
        await WaitAsync(() => Clock.PendingTimers == 9);
        Clock.Advance(TimeSpan.FromSeconds(5));
        await WaitAsync(() => processor.Counts.Completed == 4);
        Clock.Advance(TimeSpan.FromSeconds(5));
        await running;

        Assert.Equal(TimeSpan.FromSeconds(10), Clock.Elapsed);
        Assert.Equal((4, 4, 0), (processor.Counts.Completed, processor.Counts.Abandoned, receiver.Locked));
        Assert.Empty(Errors);
    }

    [Fact(Timeout = Limit)]
    public async Task A_message_whose_lock_has_run_out_is_handled_only_with_a_new_lock()
    {
        var receiver = new MemoryReceiver(Clock);
        var renew = receiver.OnRenew;
        receiver.OnRenew = message => message.SequenceNumber % 2 == 0 ? throw new MessagingException(FailureKind.LockLost, "gone") : renew(message);
        receiver.Add(10);
        Clock.Advance(MemoryReceiver.LockDuration);
        using var stop = new CancellationTokenSource();
        var handled = new ConcurrentQueue<(long Sequence, bool HasLock)>();
        var processor = Create(
            receiver,
            (message, _) =>
            {
                handled.Enqueue((message.SequenceNumber, message.LockedUntil > Clock.GetUtcNow()));
                return ValueTask.FromResult(MessageOutcome.Complete);
            },
            Options(1)
        );
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, Completed: 5, LocksLost: 5 });

        Assert.Equal([(1L, true), (3, true), (5, true), (7, true), (9, true)], handled);
        Assert.Equal(5, processor.Counts.Unsettled);
        Assert.Equal(5, Errors.Count(static error => error.Step == MessageProcessorStep.RenewLock));
    }

    [Fact(Timeout = Limit)]
    public async Task A_lock_that_has_run_out_and_cannot_be_renewed_leaves_its_message_unsettled()
    {
        var receiver = new MemoryReceiver(Clock) { OnRenew = static _ => throw new MessagingException(FailureKind.Transient, "busy") };
        receiver.Add(1);
        Clock.Advance(MemoryReceiver.LockDuration);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, static (_, _) => throw new InvalidOperationException("must not be called"), Options(1));
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, Unsettled: 1 });

        Assert.Equal((0, 0), (processor.Counts.LocksLost, processor.Counts.HandlerFailures));
        Assert.Equal(6, receiver.Renewals.Count);
    }

    [Theory(Timeout = Limit)]
    [InlineData(0)]
    [InlineData(4_097)]
    public void A_limit_out_of_range_is_refused(int limit) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Create(new MemoryReceiver(Clock), Complete, Options(limit)));

    [Fact(Timeout = Limit)]
    public void A_time_out_of_range_is_refused_with_what_is_allowed()
    {
        Refused(Options(1) with { DrainLimit = TimeSpan.MaxValue }, "DrainLimit 10675199.02:48:05.4775807: allowed 00:00:00 to 1.00:00:00");
        Refused(Options(1) with { DrainLimit = TimeSpan.FromTicks(-1) }, "DrainLimit -00:00:00.0000001: allowed 00:00:00 to 1.00:00:00");
        Refused(Options(1) with { MaximumLockRenewal = TimeSpan.FromDays(2) }, "MaximumLockRenewal 2.00:00:00: allowed 00:00:00 to 1.00:00:00");
        Refused(Options(1) with { ReceiveWait = TimeSpan.Zero }, "ReceiveWait 00:00:00: allowed 00:00:00.0010000 to 1.00:00:00");
        Refused(Options(1) with { MaximumConcurrentCalls = 0 }, "MaximumConcurrentCalls 0: allowed 1 to 4096");

        void Refused(MessageProcessorOptions options, string message) =>
            Assert.Contains(
                message,
                Assert.ThrowsAny<ArgumentException>(() => Create(new MemoryReceiver(Clock), Complete, options)).Message,
                StringComparison.Ordinal
            );
    }

    private static int GetNext(Random random, int most)
    {
        lock (random)
        {
            return random.Next(most);
        }
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (var before = most; value > before; before = most)
        {
            Interlocked.CompareExchange(ref most, value, before);
        }
    }
}
