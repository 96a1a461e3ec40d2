using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>How many events a trigger gets together, in virtual time, and at which of its batches a checkpoint is stored.</summary>
public sealed class GatheredBatchesTests
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    private readonly VirtualClock clock = new();
    private readonly Recorder recorder = new();
    private readonly List<Exception> failures = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Batches_are_dispatched_with_enough_events_and_never_exceed_the_maximum()
    {
        var gathered = Gather(least: 8, most: 10);

        await gathered.ProcessAsync(Some.Batch(5).Events, Cancellation);
        Assert.Empty(recorder.Batches);
        await gathered.ProcessAsync(Some.Batch(13, first: 5).Events, Cancellation);

        // 18 events: 10, and 8 more that are enough.
        Assert.Equal(["0-9", "10-17"], recorder.Batches);
    }

    [Fact]
    public async Task Too_few_wait_no_longer_than_they_may_from_the_first_of_them_on()
    {
        var gathered = Gather(least: 8, most: 10);
        await gathered.ProcessAsync(Some.Batch(3).Events, Cancellation);
        clock.Advance(Longest / 2);
        await gathered.ProcessAsync(Some.Batch(3, first: 3).Events, Cancellation);

        clock.Advance((Longest / 2) - TimeSpan.FromTicks(1));
        Assert.Empty(recorder.Batches);
        clock.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(["0-5"], recorder.Batches);
        await gathered.CloseAsync(PartitionStopReason.Shutdown, Cancellation);
    }

    [Fact]
    public async Task The_wait_of_what_is_left_over_begins_with_the_batch_that_left_it()
    {
        var gathered = Gather(least: 4, most: 4);
        await gathered.ProcessAsync(Some.Batch(3).Events, Cancellation);
        clock.Advance(Longest / 2);
        await gathered.ProcessAsync(Some.Batch(2, first: 3).Events, Cancellation);
        Assert.Equal(["0-3"], recorder.Batches);

        clock.Advance(Longest);

        Assert.Equal(["0-3", "4-4"], recorder.Batches);
    }

    [Fact]
    public async Task Events_that_are_kept_back_at_the_end_are_not_handed_out()
    {
        var gathered = Gather(least: 8, most: 10);
        await gathered.ProcessAsync(Some.Batch(3).Events, Cancellation);

        await gathered.CloseAsync(PartitionStopReason.Shutdown, Cancellation);
        clock.Advance(2 * Longest);

        Assert.Empty(recorder.Batches);
        Assert.Equal(PartitionStopReason.Shutdown, recorder.Closed);
    }

    [Fact]
    public async Task A_late_batch_is_not_begun_beside_another_and_its_error_is_reported()
    {
        var gathered = Gather(least: 2, most: 2);
        await gathered.ProcessAsync(Some.Batch(1).Events, Cancellation);
        recorder.Gate = new TaskCompletionSource();
        clock.Advance(Longest);
        var next = gathered.ProcessAsync(Some.Batch(2, first: 1).Events, Cancellation);
        Assert.Equal(["0-0"], recorder.Batches);

        var error = new InvalidOperationException("late");
        var gate = recorder.Gate;
        recorder.Gate = null;
        gate.SetException(error);
        await next;

        Assert.Equal(["0-0", "1-2"], recorder.Batches);
        Assert.Equal([error], failures);
    }

    [Fact]
    public void A_checkpoint_is_due_at_every_nth_batch_and_at_the_end_of_the_backlog()
    {
        var policy = new BatchEndPolicy(3, lastOfBacklog: 65);

        Assert.Equal([false, false, true, false, true, true], new long[] { 9, 19, 29, 39, 65, 75 }.Select(policy.IsDueAt));
    }

    [Fact]
    public void Without_a_backlog_it_is_due_by_the_count_alone()
    {
        var policy = new BatchEndPolicy(2, lastOfBacklog: null);

        Assert.Equal([false, true, false, true], new long[] { 9, 19, 29, 39 }.Select(policy.IsDueAt));
        Assert.True(new BatchEndPolicy(1, lastOfBacklog: null).IsDueAt(0));
    }

    private GatheredBatches Gather(int least, int most) => new(recorder, new BatchGathering(least, most, Longest), clock, failures.Add);

    private sealed class Recorder : ISlotHandler
    {
        public List<string> Batches { get; } = [];

        public PartitionStopReason? Closed { get; private set; }

        public TaskCompletionSource? Gate { get; set; }

        public Task ProcessAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            Batches.Add($"{batch[0].SequenceNumber}-{batch[^1].SequenceNumber}");
            return Gate?.Task ?? Task.CompletedTask;
        }

        public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken)
        {
            Closed = reason;
            return Task.CompletedTask;
        }
    }
}
