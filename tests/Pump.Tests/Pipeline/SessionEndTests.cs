using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>How an ownership ends: after a failure, lost, or given up, with a strategy that waits for its batch and one that continues.</summary>
public sealed class SessionEndTests : IDisposable
{
    private readonly PumpBench bench = new();
    private readonly PumpBench pipelined = new()
    {
        IsBarrier = false,
        Options = new CheckpointOptions { Events = 1_000 },
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Charges_the_end_after_a_failure_with_nothing_more()
    {
        bench.ServiceBus.FailOn(4, new MessagingException(FailureKind.TooLarge, "too large"));
        var pump = bench.Open("baseline");

        await Assert.ThrowsAsync<ProcessingFaultException>(() => pump.ProcessAsync(Some.Batch(10).Events, Cancellation));
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(ProcessingFaultKind.Poison, bench.Faults.All.Single().Kind);
    }

    [Fact]
    public async Task Cuts_what_a_strategy_with_a_bug_has_left_running()
    {
        bench.ServiceBus.HangOn(0);
        Task? left = null;
        var pump = bench.Open(context => new DelegateStrategy(
            context,
            (batch, sinks, token) =>
            {
                left = sinks[0].WriteAsync(batch[0], token).AsTask();
                throw new InvalidOperationException("a bug");
            }
        ));

        await Assert.ThrowsAsync<InvalidOperationException>(() => pump.ProcessAsync(Some.Batch(1).Events, Cancellation));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left!);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task The_loss_of_the_partition_stores_nothing_and_cuts_the_writes_in_flight()
    {
        pipelined.Blob.HangOn(1);
        var pump = pipelined.Open(context => new ContinuesAcrossBatches(context));

        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        Assert.Empty(pipelined.Checkpoints.Attempted);
        Assert.Empty(pipelined.Faults.All);
    }

    [Theory]
    [InlineData("baseline")]
    [InlineData("combined")]
    [InlineData("pipelined")]
    [InlineData("keyed")]
    [InlineData("adaptive")]
    public async Task A_loss_that_a_write_sees_before_its_token_is_cancelled_is_not_an_error_of_the_strategy(string strategy)
    {
        pipelined.Checkpoints.Look = static _ => ValueTask.FromCanceled(new CancellationToken(canceled: true));
        var pump = pipelined.Open(strategy);

        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Null(pipelined.Faults.Error);
        Assert.Empty(pipelined.Faults.All);
        Assert.Empty(pipelined.Checkpoints.Attempted);
    }

    [Fact]
    public async Task Waits_after_a_loss_for_what_cannot_be_cut_and_counts_it_as_late()
    {
        var answer = new TaskCompletionSource();
        pipelined.Blob.On(0, _ => answer.Task);
        var pump = pipelined.Open(context => new ContinuesAcrossBatches(context));
        await pump.ProcessAsync(Some.Batch(1).Events, Cancellation);

        var closing = pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);
        Assert.False(closing.IsCompleted);
        answer.SetResult();
        await closing;

        Assert.Equal((0, 1), (pipelined.Counts.Done, pipelined.Counts.Late));
    }

    [Fact]
    public async Task Counts_as_late_what_a_strategy_that_does_not_drain_completes_after_the_end()
    {
        var answer = new TaskCompletionSource();
        pipelined.Blob.On(0, _ => answer.Task);
        Task? left = null;
        var pump = pipelined.Open(context => new DelegateStrategy(
            context,
            (batch, sinks, token) =>
            {
                left = Task.WhenAll(sinks.Select(sink => sink.WriteAsync(batch[0], token).AsTask()));
                return Task.CompletedTask;
            }
        ));

        await pump.ProcessAsync(Some.Batch(1).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);
        answer.SetResult();
        await left!;

        Assert.Equal(
            [new ProcessingFault(ProcessingFaultKind.InvariantBreached, "strategy 'x' returned with 1 event unacknowledged on partition 0, first 0")],
            pipelined.Faults.All
        );
        Assert.Equal((0, 1), (pipelined.Counts.Done, pipelined.Counts.Late));
    }

    [Fact]
    public async Task Lets_a_strategy_end_its_draining_by_being_stopped()
    {
        var drains = 0;
        var pump = pipelined.Open(context => new DelegateStrategy(
            context,
            (_, _, _) => Task.CompletedTask,
            _ =>
            {
                drains++;
                throw new OperationCanceledException();
            }
        ));

        await pipelined.Stop.RequestAsync();
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(1, drains);
        Assert.Empty(pipelined.Faults.All);
    }

    [Fact]
    public async Task Speaks_of_no_drain_limit_when_nothing_had_to_be_cut()
    {
        var pump = bench.Open("baseline");

        await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        await bench.Stop.RequestAsync();
        bench.Clock.Advance(TimeSpan.FromSeconds(10));
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.True(bench.Stop.Cut.IsCancellationRequested);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task The_report_of_the_drain_limit_covers_a_cut_of_the_first_event()
    {
        bench.ServiceBus.HangOn(0);
        var pump = bench.Open("baseline");

        var processing = pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        await bench.Stop.RequestAsync();
        bench.Clock.Advance(TimeSpan.FromSeconds(10));
        await processing;
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(
            [new ProcessingFault(ProcessingFaultKind.DrainLimit, "drain limit 10 s exceeded: 1 in flight, partition 0 before its first event")],
            bench.Faults.All
        );
    }

    [Fact]
    public async Task Ends_the_run_when_the_container_has_gone_before_the_last_checkpoint()
    {
        pipelined.Checkpoints.ThenFail(FailureKind.NotFound);
        var pump = pipelined.Open(context => new ContinuesAcrossBatches(context));

        await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "checkpoint of partition 0: checkpoint NotFound")], pipelined.Faults.All);
    }

    [Fact]
    public async Task Ends_the_run_when_the_checkpoint_that_it_waits_for_cannot_be_stored()
    {
        using var limited = AtTheReplayLimit();
        limited.Checkpoints.ThenFail(FailureKind.NotFound);
        var pump = limited.Open("baseline");
        await pump.ProcessAsync(Some.Batch(10).Events, Cancellation);

        await Assert.ThrowsAsync<ProcessingFaultException>(() => pump.ProcessAsync(Some.Batch(10, first: 10).Events, Cancellation));

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "checkpoint of partition 0: checkpoint NotFound")], limited.Faults.All);
    }

    [Fact]
    public async Task No_more_events_are_accepted_when_the_awaited_checkpoint_belongs_to_another_owner()
    {
        using var limited = AtTheReplayLimit();
        limited.Checkpoints.ThenFail(FailureKind.OwnershipLost);
        var pump = limited.Open("baseline");

        await pump.ProcessAsync(Some.Batch(10).Events, Cancellation);
        await pump.ProcessAsync(Some.Batch(10, first: 10).Events, Cancellation);
        await pump.ProcessAsync(Some.Batch(10, first: 20).Events, Cancellation);

        Assert.Equal(10, limited.Blob.Stored.Count);
        Assert.Single(limited.Checkpoints.Attempted);
    }

    public void Dispose()
    {
        bench.Dispose();
        pipelined.Dispose();
    }

    private static PumpBench AtTheReplayLimit() =>
        new()
        {
            Options = new CheckpointOptions { Events = 1_000 },
            Limits = new DispatchLimits { Window = 10, Replay = 10 },
        };
}
