using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

public sealed class PartitionSessionTests : IDisposable
{
    private readonly PumpBench bench = new();

    // Strategies that continue across batches have no batch ends: see DispatchTests, StrategyLifeTests.
    public static TheoryData<string> Strategies => [.. StrategyCatalog.Safe.Where(strategy => strategy.IsBarrier).Select(strategy => strategy.Name)];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Stores_the_end_of_each_batch_after_every_sink_has_it(string strategy)
    {
        var pump = bench.Open(strategy);

        await pump.ProcessAsync(Some.Batch(10).Events, Cancellation);
        await pump.ProcessAsync(Some.Batch(7, first: 10).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([9L, 16L], bench.Checkpoints.Stored);
        Assert.Equal(Enumerable.Range(0, 17).Select(i => (long)i), bench.Blob.Stored.Order());
        Assert.Empty(bench.Faults.All);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Waits_for_the_batch_end_write_before_it_asks_for_the_next_batch(string strategy)
    {
        var answer = new TaskCompletionSource();
        bench.Checkpoints.Then(_ => answer.Task);
        var pump = bench.Open(strategy);

        var processing = pump.ProcessAsync(Some.Batch(10).Events, Cancellation);
        Assert.False(processing.IsCompleted);

        answer.SetResult();
        await processing;
    }

    [Fact]
    public async Task Ends_the_run_when_a_strategy_returns_early()
    {
        var fault = await FaultOfAsync(bench.Open(context => new ReturnsEarly(context, 2)), first: 39, count: 5);

        Assert.Equal(
            new ProcessingFault(ProcessingFaultKind.InvariantBreached, "strategy 'x' returned with 3 events unacknowledged on partition 0, first 41"),
            fault
        );
        Assert.Equal([40L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Ends_the_run_when_a_strategy_forgets_a_sink()
    {
        var fault = await FaultOfAsync(bench.Open(context => new ForgetsASink(context)), first: 0, count: 1);

        Assert.Equal("strategy 'x' returned with 1 event unacknowledged on partition 0, first 0", fault.Message);
        Assert.Empty(bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Convicts_a_strategy_that_swallows_a_sinks_exception()
    {
        bench.Blob.FailOn(1, new MessagingException(FailureKind.TooLarge, "message of 300,412 bytes exceeds the limit of 262,144"));

        var fault = await FaultOfAsync(bench.Open(context => new SwallowsErrors(context)), first: 0, count: 3);

        Assert.Equal("strategy 'x' returned with 1 event unacknowledged on partition 0, first 1", fault.Message);
        Assert.Equal([ProcessingFaultKind.Poison, ProcessingFaultKind.InvariantBreached], bench.Faults.All.Select(static reported => reported.Kind));
        Assert.Equal([0L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Convicts_a_strategy_that_does_not_wait_for_its_writes()
    {
        bench.Blob.HangOn(0).HangOn(1);

        var fault = await FaultOfAsync(bench.Open(context => new FiresAndForgets(context)), first: 0, count: 2);

        Assert.Equal("strategy 'x' returned with 2 events unacknowledged on partition 0, first 0", fault.Message);
    }

    [Fact]
    public async Task Holds_a_strategy_to_the_degree()
    {
        using var narrow = new PumpBench { Degree = 2 };
        for (var sequence = 0; sequence < 3; sequence++)
        {
            narrow.ServiceBus.HangOn(sequence);
        }

        // The third write is refused. Its failure is not awaited, as in the strategy's own mistake.
        var pump = narrow.Open(context => new FiresAndForgets(context));
        await Assert.ThrowsAsync<ProcessingFaultException>(() => pump.ProcessAsync(Some.Batch(3).Events, Cancellation));

        Assert.Equal(
            new ProcessingFault(ProcessingFaultKind.InvariantBreached, "3 events in flight on partition 0 with event 2, the degree allows 2"),
            narrow.Faults.All[0]
        );
    }

    [Fact]
    public async Task Refuses_an_event_that_was_never_delivered()
    {
        var fault = await FaultOfAsync(bench.Open(context => new InventsAnEvent(context, Some.Event(99))), first: 0, count: 1);

        Assert.Equal(
            new ProcessingFault(
                ProcessingFaultKind.InvariantBreached,
                "a strategy wrote event 99 of partition 0 to servicebus, but the event was never delivered"
            ),
            fault
        );
    }

    [Fact]
    public async Task Holds_a_strategy_to_the_order_that_it_promises()
    {
        using var ordered = new PumpBench { Ordering = OrderingGuarantee.Partition };

        await Assert.ThrowsAsync<ProcessingFaultException>(() =>
            ordered.Open(context => new GoesBackwards(context)).ProcessAsync(Some.Batch(3).Events, Cancellation)
        );

        Assert.Equal(
            [
                new ProcessingFault(
                    ProcessingFaultKind.InvariantBreached,
                    "strategy 'x' guarantees order, but started event 2 of partition 0 before event 0 was complete (0 open, 1 open, 2 open)"
                ),
            ],
            ordered.Faults.All
        );
        Assert.Empty(ordered.ServiceBus.Begun);
    }

    [Fact]
    public async Task Lets_a_strategy_without_a_promise_write_in_any_order()
    {
        await bench.Open(context => new GoesBackwards(context)).ProcessAsync(Some.Batch(3).Events, Cancellation);

        Assert.Equal([2L], bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Stores_what_was_reached_when_a_strategy_has_a_bug_and_lets_it_escape()
    {
        var pump = bench.Open(context => new ThrowsItself(context, at: 4));

        await Assert.ThrowsAsync<InvalidOperationException>(() => pump.ProcessAsync(Some.Batch(10).Events, Cancellation));

        Assert.Equal([3L], bench.Checkpoints.Stored);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Ends_the_run_at_a_poison_event_and_stores_the_position_before_it(string strategy)
    {
        bench.ServiceBus.FailOn(4, new MessagingException(FailureKind.TooLarge, "too large"));

        var fault = await FaultOfAsync(bench.Open(strategy), first: 0, count: 10);

        Assert.Equal(new ProcessingFault(ProcessingFaultKind.Poison, "event 4 of partition 0 failed at servicebus after 1 attempt: too large"), fault);
        Assert.Equal([3L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Refuses_a_batch_that_was_delivered_before()
    {
        var pump = bench.Open("baseline");
        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);

        await Assert.ThrowsAsync<ProcessingFaultException>(() => pump.ProcessAsync(Some.Batch(3, first: 2).Events, Cancellation));

        Assert.Equal(
            [new ProcessingFault(ProcessingFaultKind.InvariantBreached, "partition 0 delivered event 2 again, or out of order, within one ownership")],
            bench.Faults.All
        );
    }

    [Fact]
    public async Task Begins_no_further_event_when_the_run_stops_and_stores_what_is_complete()
    {
        var answer = new TaskCompletionSource();
        bench.ServiceBus.On(2, _ => answer.Task);
        var pump = bench.Open("baseline");

        var processing = pump.ProcessAsync(Some.Batch(10).Events, Cancellation);
        await bench.Stop.RequestAsync();
        answer.SetResult();
        await processing;
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([0L, 1L, 2L], bench.Blob.Stored);
        Assert.Equal([2L], bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Cuts_what_does_not_finish_within_the_drain_limit_and_claims_nothing_of_it()
    {
        using var begun = new SemaphoreSlim(0);
        for (var sequence = 2; sequence < 5; sequence++)
        {
            bench.Blob.On(
                sequence,
                token =>
                {
                    begun.Release();
                    return Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token);
                }
            );
        }

        var pump = bench.Open("outloop");
        await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        var processing = pump.ProcessAsync(Some.Batch(3, first: 2).Events, Cancellation);
        for (var hanging = 0; hanging < 3; hanging++)
        {
            await begun.WaitAsync(Cancellation);
        }

        await bench.Stop.RequestAsync();
        bench.Clock.Advance(TimeSpan.FromSeconds(10));
        await processing;
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.DrainLimit, "drain limit 10 s exceeded: 3 in flight, partition 0 at 1")], bench.Faults.All);
        Assert.Equal([1L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Takes_a_strategy_that_hides_that_it_was_stopped_at_its_word()
    {
        bench.Blob.On(0, _ => bench.Stop.RequestAsync());
        var pump = bench.Open(context => new SwallowsErrors(context));

        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([0L], bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Stores_nothing_more_when_the_partition_is_lost()
    {
        bench.ServiceBus.HangOn(2);
        var pump = bench.Open("baseline");

        var processing = pump.ProcessAsync(Some.Batch(5).Events, Cancellation);
        await bench.Checkpoints.LoseAsync();
        await processing;
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        Assert.Empty(bench.Checkpoints.Attempted);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Takes_no_further_batch_after_another_writer_has_stored_a_checkpoint()
    {
        bench.Checkpoints.ThenFail(FailureKind.OwnershipLost);
        var pump = bench.Open("baseline");

        await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        await pump.ProcessAsync(Some.Batch(2, first: 2).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        Assert.Equal([0L, 1L], bench.Blob.Stored);
        Assert.Single(bench.Checkpoints.Attempted);
    }

    [Fact]
    public async Task Ends_the_run_when_the_checkpoint_container_has_gone()
    {
        bench.Checkpoints.ThenFail(FailureKind.NotFound).ThenFail(FailureKind.NotFound);

        var fault = await FaultOfAsync(bench.Open("baseline"), first: 0, count: 2);

        Assert.Equal(new ProcessingFault(ProcessingFaultKind.Dependency, "checkpoint of partition 0: checkpoint NotFound"), fault);
    }

    [Fact]
    public async Task The_last_checkpoint_has_a_separate_time_limit()
    {
        var storing = bench.Checkpoints.ThenHang();
        var pump = bench.Open(context => new ThrowsItself(context, at: 1));

        var processing = pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        await storing.WaitAsync(Cancellation);
        bench.Clock.Advance(TimeSpan.FromSeconds(5));
        await Assert.ThrowsAsync<InvalidOperationException>(() => processing);

        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal("the last checkpoint of partition 0 was not confirmed within 5 s", bench.Faults.All.Single().Message);
        Assert.Single(bench.Checkpoints.Attempted);
    }

    public void Dispose() => bench.Dispose();

    private static async Task<ProcessingFault> FaultOfAsync(PartitionSession pump, long first, int count) =>
        (await Assert.ThrowsAsync<ProcessingFaultException>(() => pump.ProcessAsync(Some.Batch(count, first: first).Events, Cancellation))).Fault;
}
