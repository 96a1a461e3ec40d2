using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>Tracked sinks as the pump makes them, driven by the plainest strategy.</summary>
public sealed class TrackedSinkTests : IDisposable
{
    private readonly PumpBench bench = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Asks_whose_the_partition_is_before_each_try_and_begins_none_when_it_is_anothers()
    {
        // The process is suspended while the first blob's try fails. When it wakes, another one has the partition.
        var looks = 0;
        bench.Checkpoints.Look = _ => new ValueTask(++looks < 4 ? Task.CompletedTask : LoseAsync());
        bench.Blob.On(
            0,
            _ =>
            {
                bench.Clock.Advance(TimeSpan.FromSeconds(30));
                return Task.FromException(new MessagingException(FailureKind.Transient, "the connection broke"));
            }
        );
        var pump = bench.Open("baseline");

        await bench.RunAsync(pump.ProcessAsync(Some.Batch(3).Events, Cancellation), Cancellation);

        // Both sinks of the first event and the blob again: the fourth look finds the other owner.
        Assert.Equal([0L], bench.ServiceBus.Begun);
        Assert.Equal([0L, 0L], bench.Blob.Begun);
        Assert.Empty(bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);

        async Task LoseAsync()
        {
            await bench.Checkpoints.LoseAsync();
            throw new OperationCanceledException(bench.Checkpoints.Lost);
        }
    }

    [Theory]
    [InlineData(FailureKind.Transient)]
    [InlineData(FailureKind.Throttled)]
    public async Task Tries_again_what_may_heal(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "busy"), times: 5);

        await RunAsync(Some.Batch(1).Events.Count);

        Assert.Equal(6, bench.ServiceBus.Begun.Count);
        Assert.Equal([0L], bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Gives_up_after_the_retry_limit_and_names_partition_and_event()
    {
        bench.Blob.FailOn(0, new MessagingException(FailureKind.Transient, "internal error"), times: 100);

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(1));

        Assert.Equal(
            [new ProcessingFault(ProcessingFaultKind.Poison, "event 0 of partition 0 failed at blob after 6 attempts: internal error")],
            bench.Faults.All
        );
        Assert.Empty(bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Begins_no_attempt_after_the_operation_limit()
    {
        bench.Blob.On(0, _ => SlowAsync(TimeSpan.FromSeconds(59.95))).FailOn(0, new MessagingException(FailureKind.Transient, "internal error"));

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(1));

        Assert.Equal("event 0 of partition 0 failed at blob after 1 attempt: timed out", bench.Faults.All.Single().Message);
    }

    [Fact]
    public async Task Gives_up_a_write_that_gets_no_answer_at_the_operation_limit()
    {
        bench.Blob.HangOn(0);

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(1));

        Assert.Equal("event 0 of partition 0 failed at blob after 1 attempt: no answer within 60 s", bench.Faults.All.Single().Message);
        Assert.Equal(TimeSpan.FromSeconds(60), bench.Clock.Elapsed);
    }

    [Fact]
    public async Task Sets_no_second_limit_for_a_sink_that_limits_itself_but_begins_no_try_after_the_operation_limit()
    {
        var sink = new LimitedSink();
        using var limited = new PumpBench { Messages = sink };
        var writing = limited.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation);
        await sink.Begun;
        limited.Clock.Advance(TimeSpan.FromSeconds(61));
        Assert.False(sink.Token.IsCancellationRequested);

        sink.Fail(new MessagingException(FailureKind.Transient, "no answer in time"));
        await Assert.ThrowsAsync<ProcessingFaultException>(() => limited.RunAsync(writing, Cancellation));

        Assert.Equal("event 0 of partition 0 failed at limited after 1 attempt: no answer in time", limited.Faults.All.Single().Message);
    }

    [Fact]
    public async Task Cuts_a_sink_that_limits_itself_when_the_partition_is_lost()
    {
        var sink = new LimitedSink();
        using var limited = new PumpBench { Messages = sink };
        var writing = limited.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation);
        await sink.Begun;

        await limited.Checkpoints.LoseAsync();
        await writing;

        Assert.True(sink.Token.IsCancellationRequested);
        Assert.Equal((1, 0), (limited.Counts.CutAt(0), limited.Counts.Done));
    }

    [Fact]
    public async Task Waits_at_least_as_long_as_the_sink_advises()
    {
        bench.Blob.FailOn(0, new MessagingException(FailureKind.Throttled, "busy") { RetryAfter = TimeSpan.FromSeconds(7) });

        await RunAsync(1);

        Assert.Equal(TimeSpan.FromSeconds(7), bench.Clock.Elapsed);
    }

    [Fact]
    public async Task Does_not_count_tries_that_found_no_connection()
    {
        bench
            .Blob.FailOn(0, new MessagingException(FailureKind.Unconnected, "nobody there"), times: 40)
            .FailOn(0, new MessagingException(FailureKind.Transient, "internal error"), times: 5);

        await RunAsync(1);

        Assert.Empty(bench.Faults.All);
        Assert.True(bench.Clock.Elapsed > TimeSpan.FromSeconds(60));
        Assert.Equal([0L], bench.Checkpoints.Stored);
    }

    [Theory]
    [InlineData(FailureKind.NotFound)]
    [InlineData(FailureKind.Unauthorized)]
    [InlineData(FailureKind.Unavailable)]
    [InlineData(FailureKind.Unreachable)]
    public async Task A_missing_service_ends_the_run_at_any_event(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "queue 'q': no"));

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(1));

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "servicebus: queue 'q': no")], bench.Faults.All);
    }

    [Theory]
    [InlineData(FailureKind.TooLarge)]
    [InlineData(FailureKind.Permanent)]
    [InlineData(FailureKind.Conflict)]
    public async Task Does_not_repeat_what_another_try_would_not_change(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "no"));

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(1));

        Assert.Single(bench.ServiceBus.Begun);
        Assert.Equal(ProcessingFaultKind.Poison, bench.Faults.All.Single().Kind);
    }

    [Fact]
    public async Task Leaves_an_event_open_that_was_cut_during_a_pause()
    {
        bench.ServiceBus.FailOn(0, new MessagingException(FailureKind.Transient, "busy"), times: 100);
        var pump = bench.Open("baseline");

        var processing = pump.ProcessAsync(Some.Batch(1).Events, Cancellation);
        await bench.Checkpoints.LoseAsync();
        await processing;

        Assert.Empty(bench.Checkpoints.Attempted);
    }

    [Fact]
    public async Task The_outcome_of_a_write_has_its_number_of_tries()
    {
        bench.ServiceBus.FailOn(0, new MessagingException(FailureKind.Throttled, "busy"), times: 2);
        var outcome = default(WriteOutcome);
        var pump = bench.Open(context => new DelegateStrategy(
            context,
            async (batch, sinks, token) =>
            {
                outcome = await sinks[0].WriteAsync(batch[0], token);
                await sinks[1].WriteAsync(batch[0], token);
            }
        ));

        await bench.RunAsync(pump.ProcessAsync(Some.Batch(1).Events, Cancellation), Cancellation);

        Assert.Equal((3, true), (outcome.Attempts, outcome.Throttled));
    }

    [Fact]
    public async Task The_strategy_gets_the_reason_why_an_event_is_not_begun()
    {
        OperationCanceledException? refusal = null;
        var pump = bench.Open(context => new DelegateStrategy(
            context,
            async (batch, sinks, token) =>
            {
                await bench.Stop.RequestAsync();
                refusal = await Assert.ThrowsAsync<OperationCanceledException>(() => sinks[0].WriteAsync(batch[0], token).AsTask());
            }
        ));

        await pump.ProcessAsync(Some.Batch(1).Events, Cancellation);

        Assert.Equal("partition 0 is stopping: event 0 is not started", refusal!.Message);
        Assert.Equal(bench.Stop.Requested, refusal.CancellationToken);
    }

    [Fact]
    public async Task Counts_a_write_that_was_cut_as_cancelled_and_not_as_tried_again()
    {
        bench.Blob.HangOn(0);

        var processing = bench.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation);
        await bench.Checkpoints.LoseAsync();
        await processing;

        Assert.Equal((1, 0), (bench.Counts.CutAt(1), bench.Counts.Retries));
    }

    [Theory]
    [InlineData(FailureKind.TooLarge)]
    [InlineData(FailureKind.NotFound)]
    public async Task Counts_a_failure_for_good_and_nothing_in_flight_after_it(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "no"));

        await Assert.ThrowsAsync<ProcessingFaultException>(() => RunAsync(1));

        Assert.Equal((1, 0), (bench.Counts.FailuresAt(0), bench.Counts.InFlight));
    }

    [Fact]
    public async Task Counts_an_event_that_blocks_its_partition_as_failed_once()
    {
        using var blocking = new PumpBench { OnPoison = PoisonPolicy.Block };
        blocking.ServiceBus.FailOn(0, new MessagingException(FailureKind.TooLarge, "no"), times: 3);

        await blocking.RunAsync(blocking.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation), Cancellation);

        Assert.Equal(1, blocking.Counts.FailuresAt(0));
    }

    [Fact]
    public async Task Counts_what_is_complete_before_an_earlier_event_as_out_of_order()
    {
        var slow = new TaskCompletionSource();
        bench.Blob.On(0, _ => slow.Task);

        var pump = bench.Open(context => new DelegateStrategy(
            context,
            async (batch, _, token) =>
            {
                var continues = new ContinuesAcrossBatches(context);
                await continues.DispatchAsync(batch, token);
                slow.SetResult();
                await continues.DrainAsync(token);
            }
        ));
        await pump.ProcessAsync(Some.Batch(3).Events, Cancellation);

        Assert.Equal((2, 0), (bench.Counts.OutOfOrder, bench.Counts.Late));
    }

    public void Dispose() => bench.Dispose();

    private Task RunAsync(int events) => bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(events).Events, Cancellation), Cancellation);

    private Task SlowAsync(TimeSpan time)
    {
        bench.Clock.Advance(time);
        return Task.FromException(new MessagingException(FailureKind.Transient, "timed out"));
    }

    // Ends each write by itself, when the test requests it.
    private sealed class LimitedSink : ISink<EventSlot>
    {
        private readonly TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public string Name => "limited";

        public bool LimitsItself => true;

        public Task Begun => begun.Task;

        public CancellationToken Token { get; private set; }

        public void Fail(Exception failure) => answer.SetException(failure);

        public async ValueTask WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            Token = cancellationToken;
            begun.SetResult();
            await answer.Task.WaitAsync(cancellationToken);
        }
    }
}
