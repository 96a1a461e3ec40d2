using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>What a session does for a strategy from its making to its end, and what it reports to it meanwhile.</summary>
public sealed class StrategyLifeTests : IDisposable
{
    private readonly PumpBench bench = new()
    {
        IsBarrier = false,
        Options = new CheckpointOptions { Events = 1_000 },
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_failure_while_draining_is_thrown_when_the_last_checkpoint_is_stored_and_everything_given_back()
    {
        Ending? strategy = null;
        var pump = bench.Open(context => strategy = new Ending(context, () => throw new InvalidOperationException("a bug")));
        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);

        var bug = await Assert.ThrowsAsync<InvalidOperationException>(() => pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation));

        Assert.Equal("a bug", bug.Message);
        Assert.Equal([2L], bench.Checkpoints.Stored);
        Assert.True(strategy!.IsDisposed);
    }

    [Theory]
    [InlineData(PartitionStopReason.Shutdown)]
    [InlineData(PartitionStopReason.OwnershipLost)]
    public async Task Every_strategy_is_disposed_of_however_its_partition_ends(PartitionStopReason reason)
    {
        Ending? strategy = null;
        var pump = bench.Open(context => strategy = new Ending(context, () => { }));
        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);
        Assert.False(strategy!.IsDisposed);

        await pump.CloseAsync(reason, Cancellation);

        Assert.True(strategy.IsDisposed);
    }

    [Fact]
    public void A_failure_of_background_work_is_raised_immediately_without_another_event()
    {
        StrategyContext? made = null;
        _ = bench.Open(context => new Ending(made = context, () => { }));
        Assert.False(bench.Faults.Raised.IsCompleted);

        made!.ReportFailure(new InvalidOperationException("a bug"));

        Assert.True(bench.Faults.Raised.IsCompleted);
        Assert.Equal("a bug", bench.Faults.Error!.Message);
    }

    [Fact]
    public async Task A_failure_that_a_sink_has_reported_or_that_was_cut_is_not_reported_again()
    {
        StrategyContext? made = null;
        var pump = bench.Open(context => new Ending(made = context, () => { }));
        made!.ReportFailure(new ProcessingFaultException(new ProcessingFault(ProcessingFaultKind.Poison, "known")));
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);
        Assert.True(made.Lifetime.IsCancellationRequested);

        made.ReportFailure(new OperationCanceledException());

        Assert.Null(bench.Faults.Error);
        Assert.False(bench.Faults.Raised.IsCompleted);
    }

    [Fact]
    public async Task An_observing_strategy_is_notified_of_failed_tries_before_the_write_ends()
    {
        Watching? strategy = null;
        bench.ServiceBus.FailOn(1, new MessagingException(FailureKind.Throttled, "busy"), times: 2);
        var pump = bench.Open(context => strategy = new Watching(context));

        await bench.RunAsync(pump.ProcessAsync(Some.Batch(3).Events, Cancellation), Cancellation);

        Assert.Equal(
            [(0, 1L, 1, true), (0, 1L, 2, true)],
            strategy!.Notices.Select(notice => (notice.Sink, notice.Sequence, notice.Attempts, notice.Throttled))
        );
        Assert.All(strategy.Notices, notice => Assert.True(notice.Elapsed >= TimeSpan.Zero));
        Assert.False(strategy.NoticedAfterTheEnd);
    }

    [Fact]
    public async Task An_exception_of_any_sink_is_a_failed_try_that_is_repeated()
    {
        bench.Blob.FailOn(1, new TimeoutException("somebody's own"), times: 2).FailOn(2, new TaskCanceledException("a time-out of its own"));

        await bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(3).Events, Cancellation), Cancellation);

        Assert.Equal([0L, 1, 1, 1, 2, 2], bench.Blob.Begun);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task A_permanent_exception_of_any_sink_is_poison_that_names_the_sink()
    {
        bench.Blob.FailOn(1, new TimeoutException("somebody's own"), times: 100);

        await Assert.ThrowsAsync<ProcessingFaultException>(() =>
            bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(3).Events, Cancellation), Cancellation)
        );

        Assert.Equal("event 1 of partition 0 failed at blob after 6 attempts: TimeoutException: somebody's own", bench.Faults.All.Single().Message);
    }

    [Fact]
    public void The_context_has_partition_limits_and_lifetime()
    {
        StrategyContext? made = null;
        using var narrow = new PumpBench
        {
            Degree = 7,
            Limits = new DispatchLimits { Window = 70, Replay = 700 },
        };

        narrow.Open(context => new Ending(made = context, () => { }));

        Assert.Equal(("0", 7, 70, 2), (made!.PartitionId, made.MaxConcurrency, made.Window, made.Sinks.Count));
        Assert.False(made.Lifetime.IsCancellationRequested);
    }

    public void Dispose() => bench.Dispose();

    private sealed class Ending(StrategyContext context, Action drain) : IProcessingStrategy, IAsyncDisposable
    {
        public bool IsDisposed { get; private set; }

        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var receivedEvent in batch)
            {
                foreach (var sink in context.Sinks)
                {
                    await sink.WriteAsync(receivedEvent, cancellationToken);
                }
            }
        }

        public ValueTask DrainAsync(CancellationToken cancellationToken)
        {
            drain();
            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return ValueTask.CompletedTask;
        }
    }

    private sealed class Watching(StrategyContext context) : IProcessingStrategy, IWriteWatcher
    {
        private bool ended;

        public Recorded<WriteNotice> Notices { get; } = [];

        public bool NoticedAfterTheEnd { get; private set; }

        public void Noticed(in WriteNotice notice)
        {
            Notices.Add(notice);
            NoticedAfterTheEnd |= ended;
        }

        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var receivedEvent in batch)
            {
                ended = false;
                foreach (var sink in context.Sinks)
                {
                    await sink.WriteAsync(receivedEvent, cancellationToken);
                }

                ended = true;
            }
        }
    }
}
