using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>A strategy that writes several events in one operation, and what becomes of each of them.</summary>
public sealed class BatchedWriteTests : IDisposable
{
    private static readonly MessagingException Busy = new(FailureKind.Throttled, "busy");
    private static readonly MessagingException TooLarge = new(FailureKind.TooLarge, "too large");

    private readonly BatchSink sink = new("servicebus", largest: 4);
    private readonly List<WriteOutcome> outcomes = [];
    private PumpBench? bench;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task As_many_events_as_the_sink_accepts_are_written_together_and_each_is_completed()
    {
        await RunAsync(PoisonPolicy.Stop);

        Assert.Equal(
            [
                [0, 1, 2, 3],
                [4, 5, 6, 7],
                [8, 9],
            ],
            sink.Operations
        );
        Assert.Equal(10, outcomes.Count);
        Assert.Equal([9L], bench!.Checkpoints.Stored);
    }

    [Fact]
    public async Task Tries_only_those_again_that_failed_and_may_heal()
    {
        sink.Then(events => [.. events.Select(written => written.SequenceNumber % 2 == 1 ? Busy : null)]);

        await RunAsync(PoisonPolicy.Stop);

        Assert.Equal(
            [
                [0, 1, 2, 3],
                [4, 5, 6, 7],
                [8, 9],
                [1, 3],
            ],
            sink.Operations
        );
        Assert.Equal([1, 2, 1, 2, 1], outcomes.Take(5).Select(outcome => outcome.Attempts));
        Assert.Equal([false, true, false, true, false], outcomes.Take(5).Select(outcome => outcome.Throttled));
        Assert.Equal([9L], bench!.Checkpoints.Stored);
    }

    [Fact]
    public async Task An_event_refused_for_good_is_dead_lettered_and_neither_repeats_nor_holds_the_others()
    {
        sink.Then(events => [null, TooLarge, null, null]);

        await RunAsync(PoisonPolicy.DeadLetter);

        Assert.Equal(
            [
                [0, 1, 2, 3],
                [4, 5, 6, 7],
                [8, 9],
            ],
            sink.Operations
        );
        Assert.Equal([1], outcomes.Select((outcome, at) => (outcome, at)).Where(pair => pair.outcome.DeadLettered).Select(pair => pair.at));
        Assert.Single(bench!.DeadLetters.Stored);
        Assert.Equal([9L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task A_failure_of_the_whole_operation_is_each_events_failure()
    {
        sink.Then(_ => throw new MessagingException(FailureKind.Transient, "the connection broke"));

        await RunAsync(PoisonPolicy.Stop);

        Assert.Equal(
            [
                [0, 1, 2, 3],
                [4, 5, 6, 7],
                [8, 9],
                [0, 1, 2, 3],
            ],
            sink.Operations
        );
        Assert.Equal([9L], bench!.Checkpoints.Stored);
    }

    [Fact]
    public async Task An_event_whose_operation_gets_no_answer_fails_no_other_event()
    {
        for (var operations = 0; operations < 100; operations++)
        {
            sink.Then(events =>
                events.Any(static written => written.SequenceNumber == 1)
                    ? throw new MessagingException(FailureKind.Transient, "no answer in time")
                    : new Exception?[events.Count]
            );
        }

        await RunAsync(PoisonPolicy.DeadLetter);

        Assert.Equal([1], outcomes.Select((outcome, at) => (outcome, at)).Where(pair => pair.outcome.DeadLettered).Select(pair => pair.at));
        Assert.Single(bench!.DeadLetters.Stored);
        Assert.Equal(
            [
                [0],
                [1],
                [2],
                [3],
            ],
            sink.Operations.TakeLast(4)
        );
        Assert.Equal([9L], bench.Checkpoints.Stored);
        // Six tries together, one alone.
        Assert.Equal([7, 7, 7, 7, 1], outcomes.Take(5).Select(outcome => outcome.Attempts));
        Assert.Equal((24, 1), (bench.Counts.Retries, bench.Counts.FailuresAt(0)));
    }

    [Fact]
    public async Task A_loss_during_the_pause_before_another_try_ends_every_write()
    {
        sink.Then(_ => throw new MessagingException(FailureKind.Transient, "the connection broke"));
        bench = new PumpBench { Messages = sink };
        var pump = bench.Open(Batched);

        var running = pump.ProcessAsync(Some.Batch(4).Events, Cancellation);
        await bench.Clock.UntilTimerIsSetAsync(Cancellation);
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        await running;
        Assert.Single(sink.Operations);
        Assert.Empty(bench.Checkpoints.Attempted);
    }

    [Fact]
    public async Task A_batch_that_begins_after_the_stop_is_not_written()
    {
        bench = new PumpBench { Messages = sink };
        var pump = bench.Open(context => new DelegateStrategy(
            context,
            async (batch, sinks, token) =>
            {
                await Task.WhenAll(sinks.Select(tracked => tracked.WriteBatchAsync([.. batch.Take(2)], token).AsTask()));
                await bench.Stop.RequestAsync();
                var refused = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sinks[0].WriteBatchAsync([.. batch.Skip(2)], token).AsTask());
                Assert.Equal(bench.Stop.Requested, refused.CancellationToken);
                throw refused;
            }
        ));

        await pump.ProcessAsync(Some.Batch(4).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([0L, 1], Assert.Single(sink.Operations));
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task A_sink_that_miscounts_its_outcomes_ends_the_run_and_loses_nothing()
    {
        sink.Then(_ => [null, null]);

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(PoisonPolicy.Stop));

        Assert.Contains("servicebus returned 2 outcomes for 4 events", bench!.Faults.All[0].Message, StringComparison.Ordinal);
        Assert.Empty(bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task A_sink_that_takes_events_singly_gets_them_singly()
    {
        bench = new PumpBench { OnPoison = PoisonPolicy.Stop };
        var pump = bench.Open(Batched);

        await bench.RunAsync(pump.ProcessAsync(Some.Batch(10).Events, Cancellation), Cancellation);

        Assert.Equal(10, bench.ServiceBus.Stored.Count);
        Assert.Equal([9L], bench.Checkpoints.Stored);
    }

    public void Dispose() => bench?.Dispose();

    private async Task RunAsync(PoisonPolicy policy)
    {
        bench = new PumpBench { OnPoison = policy, Messages = sink };
        var pump = bench.Open(Batched);
        await bench.RunAsync(pump.ProcessAsync(Some.Batch(10).Events, Cancellation), Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);
        Assert.Empty(bench.Faults.All);
    }

    private DelegateStrategy Batched(StrategyContext context) =>
        new(
            context,
            async (batch, sinks, token) =>
            {
                var writes = sinks.Select(tracked => tracked.WriteBatchAsync(batch, token).AsTask()).ToList();
                var all = await Task.WhenAll(writes);
                outcomes.AddRange(all[0]);
            }
        );
}
