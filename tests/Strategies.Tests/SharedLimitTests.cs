using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

public sealed class SharedLimitTests
{
    [Fact]
    public void The_limit_is_never_exceeded_and_every_caller_enters_in_the_end_after_any_cancellations() =>
        Schedules.Explore(async schedule =>
        {
            var limit = new SharedLimit(3);
            var (inside, most, entered, gaveUp) = (0, 0, 0, 0);
            await Task.WhenAll(Enumerable.Range(0, 12).Select(_ => PassAsync()).ToList());

            Assert.Equal(12, entered + gaveUp);
            Assert.True(most <= 5);
            Assert.Equal(0, limit.Entered);

            async Task PassAsync()
            {
                using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(schedule.Random.Next(1, 40)), schedule.Clock);
                await schedule.PauseAsync(5, CancellationToken.None);
                try
                {
                    await limit.EnterAsync(timeout.Token);
                }
                catch (OperationCanceledException)
                {
                    gaveUp++;
                    return;
                }

                most = Math.Max(most, ++inside);
                Assert.True(inside <= 5);
                limit.Limit = schedule.Random.Next(1, 6);
                await schedule.PauseAsync(10, CancellationToken.None);
                inside--;
                entered++;
                limit.Leave();
            }
        });

    [Fact]
    public async Task A_raised_limit_admits_waiting_callers_in_the_order_of_their_arrival()
    {
        var limit = new SharedLimit(1);
        await limit.EnterAsync(TestContext.Current.CancellationToken);
        var waiting = Enumerable.Range(0, 3).Select(_ => limit.EnterAsync(TestContext.Current.CancellationToken).AsTask()).ToArray();

        limit.Limit = 3;
        await Task.WhenAll(waiting[0], waiting[1]);

        Assert.False(waiting[2].IsCompleted);
        Assert.Equal(3, limit.Entered);
    }

    [Fact]
    public async Task A_cancelled_caller_does_not_enter_a_free_place()
    {
        var limit = new SharedLimit(1);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => limit.EnterAsync(new CancellationToken(canceled: true)).AsTask());

        Assert.Equal(0, limit.Entered);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void Is_at_least_one(int value)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new SharedLimit(value));
        Assert.Throws<ArgumentOutOfRangeException>(() => new SharedLimit(1).Limit = value);
    }
}
