using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.VirtualTime.Tests;

/// <summary>The clock and the runner that the other tests trust.</summary>
public sealed class VirtualTimeTests
{
    [Fact]
    public void Timers_fire_in_the_order_of_their_due_time_each_at_its_own()
    {
        var clock = new VirtualClock();
        var fired = new List<(string Name, double At)>();
        using var late = clock.CreateTimer(_ => fired.Add(("late", clock.Elapsed.TotalSeconds)), null, TimeSpan.FromSeconds(5), Timeout.InfiniteTimeSpan);
        using var periodic = clock.CreateTimer(
            _ => fired.Add(("periodic", clock.Elapsed.TotalSeconds)),
            null,
            TimeSpan.FromSeconds(2),
            TimeSpan.FromSeconds(2)
        );
        using var never = clock.CreateTimer(_ => fired.Add(("never", 0)), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        clock.CreateTimer(_ => fired.Add(("disposed", 0)), null, TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan).Dispose();

        clock.Advance(TimeSpan.FromSeconds(6));

        Assert.Equal([("periodic", 2.0), ("periodic", 4.0), ("late", 5.0), ("periodic", 6.0)], fired);
        Assert.Equal(TimeSpan.FromSeconds(6), clock.GetElapsedTime(0));
        Assert.Equal(6, clock.GetUtcNow().Second);
    }

    [Fact]
    public void Delays_of_the_runtime_take_virtual_time() =>
        Assert.Equal(
            TimeSpan.FromHours(3),
            VirtualTimeRunner.Run(async clock =>
            {
                await Task.Delay(TimeSpan.FromHours(1), clock, TestContext.Current.CancellationToken);
                await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => Task.Delay(TimeSpan.FromHours(2), clock, TestContext.Current.CancellationToken)));
            })
        );

    [Fact]
    public void The_same_seed_takes_the_same_steps_and_seeds_differ()
    {
        Assert.Equal(Steps(7), Steps(7));
        Assert.True(Enumerable.Range(0, 20).Select(seed => string.Join(',', Steps(seed))).Distinct(StringComparer.Ordinal).Count() > 10);
    }

    [Fact]
    public void Code_that_waits_for_a_result_that_never_comes_is_reported_as_stuck() =>
        Assert.Contains(
            "nothing is ready",
            Assert.Throws<InvalidOperationException>(() => VirtualTimeRunner.Run(_ => new TaskCompletionSource().Task)).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Ready_continuations_run_while_their_caller_holds_the_stack()
    {
        var ran = 0;
        VirtualTimeRunner.Run(async _ =>
        {
            var others = Task.WhenAll(
                Enumerable
                    .Range(0, 5)
                    .Select(async _ =>
                    {
                        await Task.Yield();
                        ran++;
                    })
            );
            VirtualTimeRunner.RunOthers(() => ran == 3);
            Assert.Equal(3, ran);
            await others;
        });
        Assert.Equal(5, ran);
    }

    [Fact]
    public void Code_outside_of_virtual_time_cannot_run_others() =>
        Assert.Throws<InvalidOperationException>(static () => VirtualTimeRunner.RunOthers(static () => true));

    [Fact]
    public void A_failure_comes_out_as_it_is() =>
        Assert.Throws<FormatException>(() =>
            VirtualTimeRunner.Run(async clock =>
            {
                await clock.DelayAsync(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
                throw new FormatException();
            })
        );

    [Fact]
    public async Task A_test_can_wait_until_a_timer_is_set()
    {
        var clock = new VirtualClock();
        var waiting = clock.UntilTimerIsSetAsync(TestContext.Current.CancellationToken);
        Assert.False(waiting.IsCompleted);

        var delay = Task.Delay(TimeSpan.FromSeconds(1), clock, TestContext.Current.CancellationToken);
        await waiting;
        clock.Advance(TimeSpan.FromSeconds(1));
        await delay;
    }

    private static List<int> Steps(int seed)
    {
        var steps = new List<int>();
        VirtualTimeRunner.Run(
            clock =>
                Task.WhenAll(
                    Enumerable
                        .Range(0, 8)
                        .Select(async i =>
                        {
                            await clock.DelayAsync(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
                            await Task.Yield();
                            steps.Add(i);
                        })
                ),
            seed
        );
        return steps;
    }
}
