using EventHubThroughput.Clients;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

public sealed class CheckpointWriterTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly EventTracker watermark = new(1, TimeProvider.System);
    private readonly ScriptedCheckpoints store = new();
    private readonly CheckpointLog log = new();
    private readonly WakeSignal confirmed = new();
    private readonly CheckpointWriter writer;

    public CheckpointWriterTests() => writer = MakeWriter(watermark, store, clock, log, confirmed);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Stores_the_watermark_and_not_what_was_merely_delivered()
    {
        Deliver(0, 5);
        Complete(0, 1, 2, 4);

        Assert.Equal(FlushResult.Confirmed, await writer.FlushAsync(Cancellation));

        Assert.Equal([2L], store.Stored);
        Assert.Equal(3, writer.ConfirmedPassed);
    }

    [Fact]
    public async Task Stores_nothing_when_nothing_has_moved()
    {
        Deliver(0, 2);
        await writer.FlushAsync(Cancellation);
        Complete(0);
        await writer.FlushAsync(Cancellation);
        await writer.FlushAsync(Cancellation);

        Assert.Equal([0L], store.Attempted);
    }

    [Fact]
    public async Task Reports_the_events_since_the_checkpoint_before_and_wakes_the_gate()
    {
        Deliver(0, 3);
        Complete(0);
        await writer.FlushAsync(Cancellation);
        await confirmed.WaitAsync(Cancellation);
        Complete(1, 2);
        await writer.FlushAsync(Cancellation);

        Assert.Equal([1L, 2], log.Attempts.Select(attempt => attempt.Events));
        Assert.True(await confirmed.WaitAsync(Cancellation));
    }

    [Fact]
    public async Task Tries_a_failed_write_again_with_the_newest_watermark()
    {
        Deliver(0, 3);
        Complete(0);
        store.ThenFail(FailureKind.Transient).ThenFail(FailureKind.Throttled);

        var flushing = writer.FlushAsync(Cancellation);
        Complete(1);
        await clock.UntilTimerIsSetAsync(Cancellation);
        clock.AdvanceToNextTimer();
        await clock.UntilTimerIsSetAsync(Cancellation);
        Complete(2);
        clock.AdvanceToNextTimer();
        await flushing;

        Assert.Equal([0L, 1L, 2L], store.Attempted);
        Assert.Equal([2L], store.Stored);
        Assert.Equal([(0L, false), (0L, false), (3L, true)], log.Attempts.Select(attempt => (attempt.Events, attempt.Stored)));
    }

    [Fact]
    public async Task Stores_no_position_that_the_check_refuses()
    {
        Deliver(0, 1);
        Complete(0);
        var guarded = new CheckpointWriter(watermark, store.CheckpointAsync, new RetryRule(), clock)
        {
            Check = static position => throw new InvalidOperationException($"{position.SequenceNumber}"),
        };

        Assert.Equal("0", (await Assert.ThrowsAsync<InvalidOperationException>(() => guarded.FlushAsync(Cancellation))).Message);
        Assert.Empty(store.Attempted);
    }

    [Fact]
    public async Task Writes_once_for_all_requests_that_come_during_a_write()
    {
        Deliver(0, 10);
        Complete(0);
        var answer = new TaskCompletionSource();
        store.Then(_ => answer.Task);
        var requests = new List<Task> { writer.FlushAsync(Cancellation) };
        for (var sequence = 1; sequence < 10; sequence++)
        {
            Complete(sequence);
            requests.Add(writer.FlushAsync(Cancellation));
        }

        answer.SetResult();
        await Task.WhenAll(requests);

        Assert.Equal([0L, 9L], store.Stored);
        Assert.False(store.Overlapped);
    }

    [Fact]
    public async Task Stops_for_good_when_another_writer_has_the_partition()
    {
        Deliver(0, 2);
        Complete(0);
        store.ThenFail(FailureKind.OwnershipLost);

        Assert.Equal(FlushResult.OwnershipLost, await writer.FlushAsync(Cancellation));
        Complete(1);
        Assert.Equal(FlushResult.OwnershipLost, await writer.FlushAsync(Cancellation));

        Assert.Equal([0L], store.Attempted);
        Assert.Empty(store.Stored);
    }

    [Fact]
    public async Task Stores_nothing_after_it_was_stopped()
    {
        Deliver(0, 1);
        Complete(0);
        writer.Stop();

        Assert.Equal(FlushResult.OwnershipLost, await writer.FlushAsync(Cancellation));
        Assert.Empty(store.Attempted);
    }

    [Theory]
    [InlineData(FailureKind.NotFound)]
    [InlineData(FailureKind.Unauthorized)]
    [InlineData(FailureKind.Unreachable)]
    public async Task Does_not_try_again_what_cannot_heal(FailureKind kind)
    {
        Deliver(0, 1);
        Complete(0);
        store.ThenFail(kind);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => writer.FlushAsync(Cancellation));

        Assert.Equal(kind, failure.Kind);
        Assert.Equal([0L], store.Attempted);
    }

    [Fact]
    public async Task Ends_its_retries_when_it_is_cancelled()
    {
        Deliver(0, 1);
        Complete(0);
        store.ThenFail(FailureKind.Transient);
        using var limit = new CancellationTokenSource(TimeSpan.FromMilliseconds(10), clock);

        var flushing = writer.FlushAsync(limit.Token);
        clock.Advance(TimeSpan.FromMilliseconds(10));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => flushing);
        Assert.Equal(0, writer.ConfirmedPassed);
    }

    [Fact]
    public void Checkpoints_rise_strictly_are_at_most_the_requests_and_end_at_the_maximum_after_any_failures()
    {
        var scripts =
            from steps in Gen.Choose(0, 5).ListOf()
            from failures in Gen.Elements(true, false).ArrayOf(steps.Count + 1)
            select (Steps: steps.ToArray(), Failures: failures);

        // Short scripts: every pattern of failures is in them, and a long one costs only time.
        Check.One(
            PropertyCases.Usual.WithEndSize(20),
            Prop.ForAll(
                Arb.From(scripts),
                script =>
                {
                    var virtualClock = new VirtualClock();
                    var moving = new EventTracker(1, TimeProvider.System);
                    using var partition = new ScriptedCheckpoints();
                    var tested = MakeWriter(moving, partition, virtualClock, new CheckpointLog(), new WakeSignal());
                    Array.ForEach(script.Failures, fails => _ = fails ? partition.ThenFail(FailureKind.Transient) : partition.Then(_ => Task.CompletedTask));
                    Assert.True(moving.TryHandOver(Some.Batch(script.Steps.Sum() + 1).Events, out _));
                    var next = 0L;
                    var requests = new List<Task>();
                    foreach (var step in script.Steps)
                    {
                        for (var i = 0; i < step; i++)
                        {
                            moving.Acknowledge(next++, 0);
                        }

                        requests.Add(tested.FlushAsync(CancellationToken.None));
                    }

                    while (requests.Exists(request => !request.IsCompleted))
                    {
                        virtualClock.Advance(TimeSpan.FromSeconds(5));
                    }

                    var rising = partition.Stored.Zip(partition.Stored.Skip(1)).All(pair => pair.First < pair.Second);
                    return rising && !partition.Overlapped && partition.Stored.Count <= requests.Count && partition.Stored.LastOrDefault(-1) == next - 1;
                }
            )
        );
    }

    public void Dispose() => store.Dispose();

    private static CheckpointWriter MakeWriter(
        EventTracker watermark,
        ScriptedCheckpoints store,
        VirtualClock clock,
        CheckpointLog log,
        WakeSignal confirmed
    ) => new(watermark, store.CheckpointAsync, new RetryRule { Jitter = () => 1 }, clock) { Observers = [log], Confirmed = confirmed };

    private void Deliver(long first, int count) => Assert.True(watermark.TryHandOver(Some.Batch(count, first: first).Events, out _));

    private void Complete(params long[] sequences) => Array.ForEach(sequences, sequence => watermark.Acknowledge(sequence, 0));
}
