using EventHubThroughput.Emulator.FaultInjection;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection;

public sealed class DeadlineQueueTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Never_wakes_before_the_deadline()
    {
        using var queue = new DeadlineQueue();
        await Task.WhenAll(
            Enumerable
                .Range(1, 50)
                .Select(async index =>
                {
                    var due = After(queue, index * 0.7);
                    await queue.UntilAsync(due, Cancellation);
                    Assert.True(queue.Clock.GetTimestamp() >= due);
                })
        );
    }

    [Fact]
    public void A_deadline_in_the_past_completes_immediately()
    {
        using var queue = new DeadlineQueue();
        Assert.True(queue.UntilAsync(queue.Clock.GetTimestamp(), Cancellation).AsTask().IsCompletedSuccessfully);
    }

    // Minus a millisecond is what the runtime takes for ever.
    [Theory]
    [InlineData(-1.0, 0.0)]
    [InlineData(-0.5, 0.0)]
    [InlineData(-3_600_000.0, 0.0)]
    [InlineData(0.0, 0.0)]
    [InlineData(3.0, 3.0)]
    public void A_deadline_that_has_just_passed_is_not_waited_for(double milliseconds, double left)
    {
        var now = TimeProvider.System.GetTimestamp();
        var earliest = now + (long)(milliseconds * TimeProvider.System.TimestampFrequency / 1000);

        Assert.Equal(TimeSpan.FromMilliseconds(left), DeadlineQueue.LeftUntil(earliest, now, TimeProvider.System));
    }

    [Fact]
    public void Without_a_deadline_there_is_nothing_to_wait_for() => Assert.Null(DeadlineQueue.LeftUntil(long.MaxValue, 0, TimeProvider.System));

    [Fact]
    public async Task The_time_to_wake_a_thread_is_measured_and_bounded()
    {
        using var queue = new DeadlineQueue();
        Assert.Equal(TimeSpan.Zero, queue.Wake);
        for (var i = 0; i < 20; i++)
        {
            await queue.UntilAsync(After(queue, 0.2), Cancellation);
        }

        Assert.InRange(queue.Wake, TimeSpan.FromTicks(1), DeadlineQueue.LongestWake);
    }

    [Fact]
    public async Task A_later_waiter_with_an_earlier_deadline_is_woken_first()
    {
        using var queue = new DeadlineQueue();
        var late = queue.UntilAsync(After(queue, 600_000), CancellationToken.None).AsTask();
        await queue.UntilAsync(After(queue, 5), Cancellation);
        Assert.False(late.IsCompleted);
        queue.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => late);
    }

    [Fact]
    public async Task Stops_waiting_when_cancelled()
    {
        using var queue = new DeadlineQueue();
        using var source = new CancellationTokenSource();
        var waiting = queue.UntilAsync(After(queue, 600_000), source.Token).AsTask();
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    private static long After(DeadlineQueue queue, double milliseconds) =>
        queue.Clock.GetTimestamp() + (long)(milliseconds / 1_000 * queue.Clock.TimestampFrequency);
}
