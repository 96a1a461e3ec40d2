using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Checkpointing;

public sealed class CheckpointScheduleTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly LowWatermark watermark = new(sinks: 1);
    private readonly TaskCompletionSource<Exception> failed = new();
    private readonly TaskCompletionSource stored = new();
    private readonly ScriptedCheckpoints store = new();
    private readonly CheckpointWriter writer;

    public CheckpointScheduleTests() =>
        writer = new CheckpointWriter(
            watermark,
            store.CheckpointAsync,
            new RetryRule { Jitter = () => 1 },
            clock,
            attempt =>
            {
                if (attempt.Stored)
                {
                    stored.TrySetResult();
                }
            }
        );

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Stores_when_the_count_is_reached_and_not_before()
    {
        await using var schedule = Start(events: 3, seconds: 60);
        Assert.True(watermark.TryRegister(Some.Batch(5).Events, out _));

        Complete(schedule, 0, 1);
        await clock.UntilTimerIsSetAsync(Cancellation);
        Assert.Empty(store.Attempted);
        Complete(schedule, 2);
        await stored.Task.WaitAsync(Cancellation);

        Assert.Equal([2L], store.Attempted);
    }

    [Fact]
    public async Task Stores_one_event_an_hour_when_its_time_comes()
    {
        await using var schedule = Start(events: 1_000, seconds: 5);
        Assert.True(watermark.TryRegister(Some.Batch(1).Events, out _));
        clock.Advance(TimeSpan.FromHours(1));

        Complete(schedule, 0);
        await clock.UntilTimerIsSetAsync(Cancellation);
        clock.Advance(TimeSpan.FromSeconds(5) - TimeSpan.FromTicks(10_000));
        Assert.Empty(store.Attempted);
        clock.Advance(TimeSpan.FromTicks(10_000));
        await stored.Task.WaitAsync(Cancellation);

        Assert.Equal([0L], store.Attempted);
    }

    [Fact]
    public async Task Reports_a_store_that_has_gone()
    {
        store.ThenFail(FailureKind.NotFound);
        await using var schedule = Start(events: 1, seconds: 5);
        Assert.True(watermark.TryRegister(Some.Batch(1).Events, out _));

        Complete(schedule, 0);

        Assert.Equal(FailureKind.NotFound, Assert.IsType<MessagingException>(await failed.Task.WaitAsync(Cancellation)).Kind);
    }

    [Fact]
    public async Task Ends_when_another_writer_has_the_partition()
    {
        store.ThenFail(FailureKind.OwnershipLost);
        await using (var schedule = Start(events: 1, seconds: 5))
        {
            Assert.True(watermark.TryRegister(Some.Batch(2).Events, out _));
            Complete(schedule, 0, 1);
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
        Assert.True(watermark.TryRegister(Some.Batch(1).Events, out _));
        Complete(schedule, 0);
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

    private CheckpointSchedule Start(int events, int seconds) =>
        new(
            watermark,
            writer,
            new CheckpointPolicy(CheckpointOptions.From(events, TimeSpan.FromSeconds(seconds)), clock),
            clock,
            failed.SetResult,
            Cancellation
        );

    private void Complete(CheckpointSchedule schedule, params long[] sequences)
    {
        foreach (var sequence in sequences)
        {
            watermark.Acknowledge(sequence, 0);
            schedule.Advanced();
        }
    }
}
