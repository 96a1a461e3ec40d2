using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

public sealed class CheckpointScheduleTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly EventTracker watermark;
    private readonly TaskCompletionSource<Exception> failed = new();
    private readonly CheckpointLog stored = new();
    private readonly WatermarkSignals signals = new();
    private readonly ScriptedCheckpoints store = new();
    private readonly CheckpointWriter writer;

    public CheckpointScheduleTests()
    {
        watermark = new EventTracker(1, TimeProvider.System, signals);
        writer = new CheckpointWriter(watermark, store.CheckpointAsync, new RetryRule { Jitter = () => 1 }, clock) { Observers = [stored] };
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Stores_when_the_count_is_reached_and_not_before()
    {
        await using var schedule = Start(events: 3, seconds: 60);
        Assert.True(watermark.TryHandOver(Some.Batch(5).Events, out _));

        Complete(0, 1);
        await clock.UntilTimerIsSetAsync(Cancellation);
        Assert.Empty(store.Attempted);
        Complete(2);
        await stored.FirstStored.WaitAsync(Cancellation);

        Assert.Equal([2L], store.Attempted);
    }

    [Fact]
    public async Task Stores_one_event_an_hour_when_its_time_comes()
    {
        await using var schedule = Start(events: 1_000, seconds: 5);
        Assert.True(watermark.TryHandOver(Some.Batch(1).Events, out _));
        clock.Advance(TimeSpan.FromHours(1));

        Complete(0);
        await clock.UntilTimerIsSetAsync(Cancellation);
        clock.Advance(TimeSpan.FromSeconds(5) - TimeSpan.FromTicks(10_000));
        Assert.Empty(store.Attempted);
        clock.Advance(TimeSpan.FromTicks(10_000));
        await stored.FirstStored.WaitAsync(Cancellation);

        Assert.Equal([0L], store.Attempted);
    }

    [Fact]
    public async Task The_last_event_of_the_backlog_causes_an_immediate_checkpoint()
    {
        await using var schedule = Start(events: 1_000, seconds: 60, lastOfBacklog: 2);
        Assert.True(watermark.TryHandOver(Some.Batch(5).Events, out _));

        Complete(0, 1);
        await clock.UntilTimerIsSetAsync(Cancellation);
        Assert.Empty(store.Attempted);
        Complete(2);
        await stored.FirstStored.WaitAsync(Cancellation);

        Assert.Equal([2L], store.Attempted);
        Assert.Equal(TimeSpan.Zero, clock.Elapsed);
    }

    [Fact]
    public async Task Reports_a_store_that_has_gone()
    {
        store.ThenFail(FailureKind.NotFound);
        await using var schedule = Start(events: 1, seconds: 5);
        Assert.True(watermark.TryHandOver(Some.Batch(1).Events, out _));

        Complete(0);

        Assert.Equal(FailureKind.NotFound, Assert.IsType<MessagingException>(await failed.Task.WaitAsync(Cancellation)).Kind);
    }

    [Fact]
    public async Task Ends_when_another_writer_has_the_partition()
    {
        store.ThenFail(FailureKind.OwnershipLost);
        await using (var schedule = Start(events: 1, seconds: 5))
        {
            Assert.True(watermark.TryHandOver(Some.Batch(2).Events, out _));
            Complete(0, 1);
        }

        Assert.Single(store.Attempted);
        Assert.False(failed.Task.IsCompleted);
    }

    [Fact]
    public async Task Ends_when_its_write_under_way_has_ended()
    {
        var (asked, answer) = (new TaskCompletionSource(), new TaskCompletionSource());
        store.Then(_ =>
        {
            asked.SetResult();
            return answer.Task;
        });
        var schedule = Start(events: 1, seconds: 5);
        Assert.True(watermark.TryHandOver(Some.Batch(1).Events, out _));
        Complete(0);
        await asked.Task.WaitAsync(Cancellation);

        var ending = schedule.DisposeAsync().AsTask();
        Assert.False(ending.IsCompleted);
        answer.SetResult();
        await ending;

        Assert.Equal([0L], store.Stored);
    }

    public void Dispose()
    {
        store.Dispose();
    }

    private CheckpointSchedule Start(int events, int seconds, long? lastOfBacklog = null) =>
        new(watermark, writer, CheckpointOptions.From(events, TimeSpan.FromSeconds(seconds)), signals, lastOfBacklog, clock, failed.SetResult, Cancellation);

    private void Complete(params long[] sequences)
    {
        foreach (var sequence in sequences)
        {
            watermark.Acknowledge(sequence, 0);
        }
    }
}
