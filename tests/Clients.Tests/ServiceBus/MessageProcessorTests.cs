using System.Collections.Concurrent;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.ServiceBus;

/// <summary>A processor keeps its limit, loses nothing and tells what went wrong, in virtual time.</summary>
public sealed class MessageProcessorTests
{
    private const int Limit = 60_000;

    // By then a processor that still has its places has done everything.
    private static readonly TimeSpan LongAfter = TimeSpan.FromHours(2);

    private readonly VirtualClock clock = new();
    private readonly ConcurrentQueue<MessageProcessorError> errors = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = Limit)]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(64)]
    public async Task Messages_in_work_and_those_asked_for_never_exceed_the_limit(int limit)
    {
        var receiver = new MemoryReceiver(clock);
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
                await Task.Delay(TimeSpan.FromMilliseconds(NextOf(random, 100)), clock, token);
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
        Assert.Empty(errors);
    }

    [Fact(Timeout = Limit)]
    public async Task A_stop_at_any_moment_leaves_no_message_locked()
    {
        for (var seed = 0; seed < 50; seed++)
        {
            var receiver = new MemoryReceiver(clock);
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

                    await Task.Delay(TimeSpan.FromMilliseconds(NextOf(random, 50)), clock, token);
                    return message.SequenceNumber % 5 == 0 ? MessageOutcome.Abandon : MessageOutcome.Complete;
                },
                Options(16)
            );
            await RunAsync(processor, stop, static () => false);

            var counts = processor.Counts;
            Assert.Equal(receiver.Handed, receiver.Settled.Count);
            Assert.Equal(receiver.Handed, counts.Completed + counts.Abandoned);
            Assert.Equal((0, 0), (receiver.Locked, counts.Handling));

            // One receive may have been under way; how far the others had come when the handler was given a thread is the pool's affair.
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
        var receiver = new MemoryReceiver(clock);
        receiver.Add(1);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, (_, _) => ValueTask.FromResult(outcome), Options(4));
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, MostHandling: 1 });

        Assert.Equal(settled is null ? [] : [(settled, 1L)], receiver.Settled);
        var counts = processor.Counts;
        Assert.Equal(1, counts.Completed + counts.Abandoned + counts.Deferred + counts.DeadLettered + counts.SettledByHandler);
    }

    [Fact(Timeout = Limit)]
    public async Task A_handler_that_throws_abandons_its_message_and_is_told()
    {
        var receiver = new MemoryReceiver(clock);
        receiver.Add(3);
        using var stop = new CancellationTokenSource();
        var processor = Create(
            receiver,
            static (message, _) => message.SequenceNumber == 2 ? throw new InvalidOperationException("refused") : ValueTask.FromResult(MessageOutcome.Complete),
            Options(1)
        );
        await RunAsync(processor, stop, () => processor.Counts.Completed == 2);

        Assert.Equal([("complete", 1L), ("abandon", 2L), ("complete", 3L)], receiver.Settled);
        var told = Assert.Single(errors);
        Assert.Equal((MessageProcessorStep.Handle, 2L, "refused"), (told.Step, told.Message!.SequenceNumber, told.Exception.Message));
        Assert.Equal((1, 1), (processor.Counts.HandlerFailures, processor.Counts.Abandoned));
    }

    [Fact(Timeout = Limit)]
    public async Task Receiving_is_tried_five_more_times_with_waits_of_up_to_two_seconds_doubled()
    {
        var times = new List<TimeSpan>();
        var receiver = new MemoryReceiver(clock)
        {
            OnReceive = _ =>
            {
                times.Add(clock.Elapsed);
                throw new MessagingException(FailureKind.Transient, "busy");
            },
        };
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, Complete, Options(4));
        var failure = await Assert.ThrowsAsync<MessagingException>(() => RunAsync(processor, stop, static () => false));

        Assert.Equal("busy", failure.Message);
        Assert.Equal(6, times.Count);
        Assert.Equal(6, errors.Count(static error => error.Step == MessageProcessorStep.Receive));
        Assert.All(
            times.Zip(times.Skip(1)).Select(static (pair, retry) => (Wait: pair.Second - pair.First, Most: Math.Min(60, 2 * Math.Pow(2, retry)))),
            static wait => Assert.InRange(wait.Wait.TotalSeconds, 0, wait.Most)
        );
    }

    [Fact(Timeout = Limit)]
    public async Task A_receive_that_succeeds_begins_the_count_of_tries_anew_and_lost_connections_do_not_count()
    {
        var tries = 0;
        var receiver = new MemoryReceiver(clock);
        receiver.OnReceive = _ =>
            ++tries % 4 == 0 || tries > 40
                ? Task.CompletedTask
                : throw new MessagingException(tries < 20 ? FailureKind.Transient : FailureKind.Unconnected, "again");
        receiver.Add(20);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, Complete, Options(1));
        await RunAsync(processor, stop, () => processor.Counts.Completed == 20);

        Assert.Equal(20, receiver.Settled.Count);
        Assert.True(errors.Count >= 15, $"{errors.Count} failures");
    }

    [Fact(Timeout = Limit)]
    public async Task A_failure_for_good_ends_the_processor_after_its_handlers()
    {
        var receiver = new MemoryReceiver(clock);
        receiver.OnReceive = _ => receiver.Handed == 0 ? Task.CompletedTask : throw new MessagingException(FailureKind.NotFound, "queue not found");
        receiver.Add(3);
        var processor = Create(
            receiver,
            async (_, token) =>
            {
                await Task.Delay(TimeSpan.FromSeconds(1), clock, token);
                return MessageOutcome.Complete;
            },
            Options(4) with
            {
                MaximumLockRenewal = TimeSpan.Zero,
            }
        );
        var running = processor.RunAsync(Token);

        // Three handlers and the limit.
        await WaitAsync(() => clock.PendingTimers == 4);
        clock.Advance(TimeSpan.FromSeconds(1));
        var failure = await Assert.ThrowsAsync<MessagingException>(() => running);

        Assert.Equal(FailureKind.NotFound, failure.Kind);
        Assert.Equal(3, processor.Counts.Completed);
        await Assert.ThrowsAsync<InvalidOperationException>(() => processor.RunAsync(Token));
    }

    [Fact(Timeout = Limit)]
    public async Task A_settlement_is_tried_again_and_a_lost_lock_is_counted_and_left()
    {
        var tries = new ConcurrentDictionary<long, int>();
        var receiver = new MemoryReceiver(clock)
        {
            OnSettle = (message, _) =>
            {
                var attempt = tries.AddOrUpdate(message.SequenceNumber, 1, static (_, before) => before + 1);
                if (message.SequenceNumber == 2)
                {
                    throw new MessagingException(FailureKind.LockLost, "gone");
                }

                if (message.SequenceNumber == 3 || (message.SequenceNumber == 4 && attempt < 3))
                {
                    throw new MessagingException(FailureKind.Transient, "busy");
                }
            },
        };
        receiver.Add(4);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, Complete, Options(4));
        await RunAsync(processor, stop, () => processor.Counts is { Completed: 2, Unsettled: 2 });

        Assert.Equal((1, 2), (processor.Counts.LocksLost, processor.Counts.Unsettled));
        Assert.Equal([1, 1, 6, 3], tries.OrderBy(static pair => pair.Key).Select(static pair => pair.Value));
        Assert.Equal(1 + 6 + 2, errors.Count(static error => error.Step == MessageProcessorStep.Settle));
    }

    [Fact(Timeout = Limit)]
    public async Task A_lock_lost_in_the_work_cancels_its_handler_alone_and_counts_once()
    {
        var receiver = new MemoryReceiver(clock);
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
                await Task.Delay(TimeSpan.FromSeconds(message.SequenceNumber == 1 ? 3_600 : 20), clock, token);
                return MessageOutcome.Complete;
            },
            Options(2)
        );
        var running = processor.RunAsync(stop.Token);

        // Two handlers, and the first renewal.
        await WaitAsync(() => clock.PendingTimers == 3);
        clock.Advance(MemoryReceiver.LockDuration / 2);
        await WaitAsync(() => processor.Counts.LocksLost == 1);
        clock.Advance(TimeSpan.FromSeconds(5));
        await WaitAsync(() => processor.Counts.Completed == 1);
        await stop.CancelAsync();
        await running;

        Assert.Equal([1], cancelled);
        Assert.Equal((1, 0), (processor.Counts.Unsettled, processor.Counts.HandlerFailures));
        Assert.Equal([("complete", 2L)], receiver.Settled);
        Assert.Equal(MessageProcessorStep.RenewLock, Assert.Single(errors).Step);
    }

    [Fact(Timeout = Limit)]
    public async Task Handlers_that_outlast_the_drain_limit_are_cancelled_and_their_messages_abandoned()
    {
        var receiver = new MemoryReceiver(clock);
        receiver.Add(8);
        using var stop = new CancellationTokenSource();
        var processor = Create(
            receiver,
            async (message, token) =>
            {
                await Task.Delay(message.SequenceNumber % 2 == 0 ? TimeSpan.FromSeconds(5) : TimeSpan.FromHours(1), clock, token);
                return MessageOutcome.Complete;
            },
            Options(8) with
            {
                DrainLimit = TimeSpan.FromSeconds(10),
                MaximumLockRenewal = TimeSpan.Zero,
            }
        );
        var running = processor.RunAsync(stop.Token);
        await WaitAsync(() => clock.PendingTimers == 8);
        await stop.CancelAsync();

        // Eight handlers and the limit.
        await WaitAsync(() => clock.PendingTimers == 9);
        clock.Advance(TimeSpan.FromSeconds(5));
        await WaitAsync(() => processor.Counts.Completed == 4);
        clock.Advance(TimeSpan.FromSeconds(5));
        await running;

        Assert.Equal(TimeSpan.FromSeconds(10), clock.Elapsed);
        Assert.Equal((4, 4, 0), (processor.Counts.Completed, processor.Counts.Abandoned, receiver.Locked));
        Assert.Empty(errors);
    }

    [Fact(Timeout = Limit)]
    public async Task A_message_whose_lock_has_run_out_is_handled_only_with_a_new_lock()
    {
        var receiver = new MemoryReceiver(clock);
        var renew = receiver.OnRenew;
        receiver.OnRenew = message => message.SequenceNumber % 2 == 0 ? throw new MessagingException(FailureKind.LockLost, "gone") : renew(message);
        receiver.Add(10);
        clock.Advance(MemoryReceiver.LockDuration);
        using var stop = new CancellationTokenSource();
        var handled = new ConcurrentQueue<(long Sequence, bool HasLock)>();
        var processor = Create(
            receiver,
            (message, _) =>
            {
                handled.Enqueue((message.SequenceNumber, message.LockedUntil > clock.GetUtcNow()));
                return ValueTask.FromResult(MessageOutcome.Complete);
            },
            Options(1)
        );
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, Completed: 5, LocksLost: 5 });

        Assert.Equal([(1L, true), (3, true), (5, true), (7, true), (9, true)], handled);
        Assert.Equal(5, processor.Counts.Unsettled);
        Assert.Equal(5, errors.Count(static error => error.Step == MessageProcessorStep.RenewLock));
    }

    [Fact(Timeout = Limit)]
    public async Task A_lock_that_has_run_out_and_cannot_be_renewed_leaves_its_message_unsettled()
    {
        var receiver = new MemoryReceiver(clock) { OnRenew = static _ => throw new MessagingException(FailureKind.Transient, "busy") };
        receiver.Add(1);
        clock.Advance(MemoryReceiver.LockDuration);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, static (_, _) => throw new InvalidOperationException("must not be called"), Options(1));
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, Unsettled: 1 });

        Assert.Equal((0, 0), (processor.Counts.LocksLost, processor.Counts.HandlerFailures));
        Assert.Equal(6, receiver.Renewals.Count);
    }

    [Fact(Timeout = Limit)]
    public async Task An_error_handler_that_throws_costs_no_place()
    {
        var receiver = new MemoryReceiver(clock);
        receiver.Add(6);
        using var stop = new CancellationTokenSource();
        var processor = Create(
            receiver,
            static (message, _) => message.SequenceNumber <= 3 ? throw new InvalidOperationException("no") : ValueTask.FromResult(MessageOutcome.Complete),
            Options(2) with
            {
                ErrorHandler = static _ => throw new InvalidOperationException("told"),
            }
        );
        await RunAsync(
            processor,
            stop,
            () => processor.Counts is { Handling: 0, Abandoned: 3, Completed: 3 } || receiver.Waiting == 0 && clock.Elapsed > LongAfter
        );

        Assert.Equal((3, 3), (processor.Counts.Abandoned, processor.Counts.Completed));
    }

    [Fact(Timeout = Limit)]
    public async Task A_receiver_that_throws_what_it_must_not_costs_no_place()
    {
        var receiver = new MemoryReceiver(clock)
        {
            OnSettle = static (message, _) =>
            {
                if (message.SequenceNumber <= 3)
                {
                    throw new InvalidOperationException("no");
                }
            },
        };
        receiver.Add(6);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, Complete, Options(2));
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, Unsettled: 3, Completed: 3 } || clock.Elapsed > LongAfter);

        Assert.Equal((3, 3), (processor.Counts.Unsettled, processor.Counts.Completed));
        Assert.Equal(3, errors.Count(static error => error.Step == MessageProcessorStep.Settle));
    }

    [Theory(Timeout = Limit)]
    [InlineData(0)]
    [InlineData(4_097)]
    public void A_limit_out_of_range_is_refused(int limit) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Create(new MemoryReceiver(clock), Complete, Options(limit)));

    [Fact(Timeout = Limit)]
    public void A_time_out_of_range_is_refused_with_what_is_allowed()
    {
        Refused(Options(1) with { DrainLimit = TimeSpan.MaxValue }, "DrainLimit 10675199.02:48:05.4775807: allowed 00:00:00 to 1.00:00:00");
        Refused(Options(1) with { DrainLimit = TimeSpan.FromTicks(-1) }, "DrainLimit -00:00:00.0000001: allowed 00:00:00 to 1.00:00:00");
        Refused(Options(1) with { MaximumLockRenewal = TimeSpan.FromDays(2) }, "MaximumLockRenewal 2.00:00:00: allowed 00:00:00 to 1.00:00:00");
        Refused(Options(1) with { ReceiveWait = TimeSpan.Zero }, "ReceiveWait 00:00:00: allowed 00:00:00.0010000 to 1.00:00:00");
        Refused(Options(1) with { MaximumConcurrentCalls = 0 }, "MaximumConcurrentCalls 0: allowed 1 to 4096");

        void Refused(MessageProcessorOptions options, string says) =>
            Assert.Contains(
                says,
                Assert.ThrowsAny<ArgumentException>(() => Create(new MemoryReceiver(clock), Complete, options)).Message,
                StringComparison.Ordinal
            );
    }

    private static ValueTask<MessageOutcome> Complete(ReceivedMessage message, CancellationToken cancellationToken) => new(MessageOutcome.Complete);

    private static int NextOf(Random random, int most)
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

    private static MessageProcessor Create(
        MemoryReceiver receiver,
        Func<ReceivedMessage, CancellationToken, ValueTask<MessageOutcome>> handle,
        MessageProcessorOptions options
    ) => new(receiver, handle, options);

    private MessageProcessorOptions Options(int limit) =>
        new()
        {
            MaximumConcurrentCalls = limit,
            Seed = 1,
            TimeProvider = clock,
            ErrorHandler = errors.Enqueue,
        };

    private static async Task WaitAsync(Func<bool> condition)
    {
        while (!condition())
        {
            await Task.Run(static () => { }, Token);
        }
    }

    // Stops when that has come about; time moves only while nothing else does.
    private async Task RunAsync(MessageProcessor processor, CancellationTokenSource stop, Func<bool> enough)
    {
        var running = processor.RunAsync(stop.Token);
        await Task.WhenAny(running, StopAsync());
        await RunAsync(running);

        async Task StopAsync()
        {
            while (!running.IsCompleted && !enough())
            {
                await StepAsync(running);
            }

            await stop.CancelAsync();
        }
    }

    private async Task RunAsync(Task running)
    {
        while (!running.IsCompleted)
        {
            await StepAsync(running);
        }

        await running;
    }

    private async Task StepAsync(Task running)
    {
        for (var turn = 0; turn < 20 && !running.IsCompleted; turn++)
        {
            await Task.Run(static () => { }, Token);
        }

        if (!running.IsCompleted)
        {
            clock.AdvanceToNextTimer();
        }
    }
}
