using System.Collections.Concurrent;
using EventHubThroughput.Clients.ServiceBus;
using Xunit;

namespace EventHubThroughput.Clients.Tests.ServiceBus;

/// <summary>What a processor does about handlers, receivers and callbacks that fail: it tries again, reports, and keeps its places.</summary>
public sealed class MessageProcessorFailureTests : ProcessorInVirtualTime
{
    // By then a processor that still has its places has done everything.
    private static readonly TimeSpan LongAfter = TimeSpan.FromHours(2);

    [Fact(Timeout = Limit)]
    public async Task A_handler_that_throws_abandons_its_message_and_is_reported()
    {
        var receiver = new MemoryReceiver(Clock);
        receiver.Add(3);
        using var stop = new CancellationTokenSource();
        var processor = Create(
            receiver,
            static (message, _) => message.SequenceNumber == 2 ? throw new InvalidOperationException("refused") : ValueTask.FromResult(MessageOutcome.Complete),
            Options(1)
        );
        await RunAsync(processor, stop, () => processor.Counts.Completed == 2);

        Assert.Equal([("complete", 1L), ("abandon", 2L), ("complete", 3L)], receiver.Settled);
        var error = Assert.Single(Errors);
        Assert.Equal((MessageProcessorStep.Handle, 2L, "refused"), (error.Step, error.Message!.SequenceNumber, error.Exception.Message));
        Assert.Equal((1, 1), (processor.Counts.HandlerFailures, processor.Counts.Abandoned));
    }

    [Fact(Timeout = Limit)]
    public async Task Receiving_is_tried_five_more_times_with_waits_of_up_to_two_seconds_doubled()
    {
        var times = new List<TimeSpan>();
        var receiver = new MemoryReceiver(Clock)
        {
            OnReceive = _ =>
            {
                times.Add(Clock.Elapsed);
                throw new MessagingException(FailureKind.Transient, "busy");
            },
        };
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, Complete, Options(4));
        var failure = await Assert.ThrowsAsync<MessagingException>(() => RunAsync(processor, stop, static () => false));

        Assert.Equal("busy", failure.Message);
        Assert.Equal(6, times.Count);
        Assert.Equal(6, Errors.Count(static error => error.Step == MessageProcessorStep.Receive));
        Assert.All(
            times.Zip(times.Skip(1)).Select(static (pair, retry) => (Wait: pair.Second - pair.First, Most: Math.Min(60, 2 * Math.Pow(2, retry)))),
            static wait => Assert.InRange(wait.Wait.TotalSeconds, 0, wait.Most)
        );
    }

    [Fact(Timeout = Limit)]
    public async Task A_successful_receive_resets_the_count_of_tries_and_lost_connections_do_not_count()
    {
        var tries = 0;
        var receiver = new MemoryReceiver(Clock);
        receiver.OnReceive = _ =>
            ++tries % 4 == 0 || tries > 40
                ? Task.CompletedTask
                : throw new MessagingException(tries < 20 ? FailureKind.Transient : FailureKind.Unconnected, "again");
        receiver.Add(20);
        using var stop = new CancellationTokenSource();
        var processor = Create(receiver, Complete, Options(1));
        await RunAsync(processor, stop, () => processor.Counts.Completed == 20);

        Assert.Equal(20, receiver.Settled.Count);
        Assert.True(Errors.Count >= 15, $"{Errors.Count} failures");
    }

    [Fact(Timeout = Limit)]
    public async Task A_failure_for_good_ends_the_processor_after_its_handlers()
    {
        var receiver = new MemoryReceiver(Clock);
        receiver.OnReceive = _ => receiver.Handed == 0 ? Task.CompletedTask : throw new MessagingException(FailureKind.NotFound, "queue not found");
        receiver.Add(3);
        var processor = Create(
            receiver,
            async (_, token) =>
            {
                await Task.Delay(TimeSpan.FromSeconds(1), Clock, token);
                return MessageOutcome.Complete;
            },
            Options(4) with
            {
                MaximumLockRenewal = TimeSpan.Zero,
            }
        );
        var running = processor.RunAsync(Token);

        // Three handlers and the limit.
        await WaitAsync(() => Clock.PendingTimers == 4);
        Clock.Advance(TimeSpan.FromSeconds(1));
        var failure = await Assert.ThrowsAsync<MessagingException>(() => running);

        Assert.Equal(FailureKind.NotFound, failure.Kind);
        Assert.Equal(3, processor.Counts.Completed);
        await Assert.ThrowsAsync<InvalidOperationException>(() => processor.RunAsync(Token));
    }

    [Fact(Timeout = Limit)]
    public async Task A_settlement_is_tried_again_and_a_lost_lock_is_counted_and_left()
    {
        var tries = new ConcurrentDictionary<long, int>();
        var receiver = new MemoryReceiver(Clock)
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
        Assert.Equal(1 + 6 + 2, Errors.Count(static error => error.Step == MessageProcessorStep.Settle));
    }

    [Fact(Timeout = Limit)]
    public async Task An_error_handler_that_throws_costs_no_place()
    {
        var receiver = new MemoryReceiver(Clock);
        receiver.Add(6);
        using var stop = new CancellationTokenSource();
        var processor = Create(
            receiver,
            static (message, _) => message.SequenceNumber <= 3 ? throw new InvalidOperationException("no") : ValueTask.FromResult(MessageOutcome.Complete),
            Options(2) with
            {
                ErrorHandler = static _ => throw new InvalidOperationException("error"),
            }
        );
        await RunAsync(
            processor,
            stop,
            () => processor.Counts is { Handling: 0, Abandoned: 3, Completed: 3 } || receiver.Waiting == 0 && Clock.Elapsed > LongAfter
        );

        Assert.Equal((3, 3), (processor.Counts.Abandoned, processor.Counts.Completed));
    }

    [Fact(Timeout = Limit)]
    public async Task A_receiver_that_throws_what_it_must_not_costs_no_place()
    {
        var receiver = new MemoryReceiver(Clock)
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
        await RunAsync(processor, stop, () => processor.Counts is { Handling: 0, Unsettled: 3, Completed: 3 } || Clock.Elapsed > LongAfter);

        Assert.Equal((3, 3), (processor.Counts.Unsettled, processor.Counts.Completed));
        Assert.Equal(3, Errors.Count(static error => error.Step == MessageProcessorStep.Settle));
    }
}
