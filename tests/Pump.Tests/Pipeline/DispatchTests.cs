using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>How far the pump runs ahead of the low watermark and of the checkpoint, under a strategy that continues across batches.</summary>
public sealed class DispatchTests : IDisposable
{
    private readonly PumpBench bench = new()
    {
        IsBarrier = false,
        Degree = 64,
        Options = new CheckpointOptions { Events = 4 },
        Limits = new DispatchLimits { Window = 8, Replay = 12 },
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_strategy_may_continue_before_a_batch_is_complete_and_is_checked_after_its_drain()
    {
        var slow = new TaskCompletionSource();
        bench.Blob.On(0, _ => slow.Task);
        var pump = bench.Open(context => new ContinuesAcrossBatches(context));

        await pump.ProcessAsync(Some.Batch(4).Events, Cancellation);
        await pump.ProcessAsync(Some.Batch(4, first: 4).Events, Cancellation);
        Assert.Empty(bench.Checkpoints.Attempted);

        slow.SetResult();
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(7, bench.Checkpoints.Stored[^1]);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task No_more_events_than_the_window_are_handed_out_and_the_pump_resumes_at_the_lower_mark()
    {
        using var wide = new PumpBench
        {
            IsBarrier = false,
            Degree = 64,
            Options = new CheckpointOptions { Events = 4 },
            Limits = new DispatchLimits { Window = 16, Replay = 24 },
        };
        var gates = Enumerable.Range(0, 16).Select(_ => new TaskCompletionSource()).ToList();
        for (var sequence = 0; sequence < 16; sequence++)
        {
            var gate = gates[sequence];
            wide.Blob.On(sequence, _ => gate.Task);
        }

        var pump = wide.Open(context => new ContinuesAcrossBatches(context));
        var processing = pump.ProcessAsync(Some.Batch(18).Events, Cancellation);
        Assert.Equal(16, wide.ServiceBus.Begun.Count);

        // One of sixteen is done: the window has room, but the mark is at fourteen.
        gates[0].SetResult();
        Assert.Equal(16, wide.ServiceBus.Begun.Count);
        Assert.False(processing.IsCompleted);

        gates[1].SetResult();
        await processing;
        gates.Skip(2).ToList().ForEach(gate => gate.SetResult());
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(17, wide.Checkpoints.Stored[^1]);
        Assert.Empty(wide.Faults.All);
    }

    [Fact]
    public async Task Waits_at_the_replay_limit_until_the_checkpoint_is_confirmed()
    {
        var answer = new TaskCompletionSource();
        bench.Checkpoints.Then(_ => answer.Task);
        var pump = bench.Open(context => new ContinuesAcrossBatches(context));

        var processing = pump.ProcessAsync(Some.Batch(40).Events, Cancellation);
        Assert.False(processing.IsCompleted);
        Assert.InRange(bench.Blob.Stored.Count, 4, 12);

        answer.SetResult();
        await processing;
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(39, bench.Checkpoints.Stored[^1]);
        Assert.False(bench.Checkpoints.Overlapped);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Makes_a_checkpoint_due_by_waiting_for_it()
    {
        using var lazy = new PumpBench
        {
            Options = new CheckpointOptions { Events = 1000 },
            Limits = new DispatchLimits { Window = 10, Replay = 20 },
        };
        var pump = lazy.Open("baseline");

        for (var first = 0; first < 50; first += 10)
        {
            await pump.ProcessAsync(Some.Batch(10, first: first).Events, Cancellation);
        }

        Assert.Equal([19L, 39L], lazy.Checkpoints.Stored);
    }

    [Fact]
    public async Task Stays_at_the_limit_while_checkpoints_fail_and_stores_the_newest_position_alone_when_they_heal()
    {
        var waiting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bench.Checkpoints.Then(_ =>
        {
            waiting.SetResult();
            throw new MessagingException(FailureKind.Throttled, "busy");
        });
        for (var failures = 1; failures < 30; failures++)
        {
            bench.Checkpoints.ThenFail(FailureKind.Throttled);
        }

        var pump = bench.Open(context => new ContinuesAcrossBatches(context));
        var processing = pump.ProcessAsync(Some.Batch(40).Events, Cancellation);
        await waiting.Task.WaitAsync(Cancellation);
        Assert.InRange(bench.Blob.Stored.Count, 4, 12);
        await bench.RunAsync(processing, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(39, bench.Checkpoints.Stored[^1]);
        Assert.Equal(bench.Checkpoints.Stored.Distinct().Order(), bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Ends_a_wait_when_the_run_stops()
    {
        bench.Blob.HangOn(0);
        var pump = bench.Open(context => new ContinuesAcrossBatches(context));
        var processing = pump.ProcessAsync(Some.Batch(16).Events, Cancellation);

        await bench.Stop.RequestAsync();
        await processing;

        Assert.Equal(8, bench.ServiceBus.Begun.Count);
    }

    [Fact]
    public async Task Hands_a_batch_over_in_parts_when_the_window_is_smaller()
    {
        using var narrow = new PumpBench
        {
            Degree = 4,
            Limits = new DispatchLimits { Window = 4, Replay = 20 },
        };

        await narrow.Open("outloop").ProcessAsync(Some.Batch(10).Events, Cancellation);

        Assert.Equal([9L], narrow.Checkpoints.Stored);
        Assert.Equal(10, narrow.Blob.Stored.Count);
    }

    [Fact]
    public async Task A_strategy_that_returns_from_its_drain_with_open_events_is_convicted()
    {
        bench.ServiceBus.HangOn(1);
        var pump = bench.Open(context => new ForgetsToDrain(context));
        await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);

        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(
            new ProcessingFault(ProcessingFaultKind.InvariantBreached, "strategy 'x' returned with 2 events unacknowledged on partition 0, first 0"),
            bench.Faults.All[0]
        );
        Assert.Empty(bench.Checkpoints.Attempted);
    }

    public void Dispose() => bench.Dispose();
}
