using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Clients.Tests;

public sealed class DeadlinePoolTests
{
    private readonly VirtualClock clock = new();

    [Fact]
    public void A_limit_ends_exactly_when_it_is_over()
    {
        using var deadline = new DeadlinePool(clock).Start(TimeSpan.FromSeconds(1), CancellationToken.None);

        clock.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(deadline.Token.IsCancellationRequested);

        clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(deadline.Token.IsCancellationRequested);
    }

    [Fact]
    public void A_limit_of_parts_of_a_millisecond_does_not_end_early()
    {
        using var deadline = new DeadlinePool(clock).Start(TimeSpan.FromTicks(15_001), CancellationToken.None);

        clock.Advance(TimeSpan.FromTicks(15_000));
        Assert.False(deadline.Token.IsCancellationRequested);

        clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(deadline.Token.IsCancellationRequested);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    public void A_deadline_that_is_already_over_cancels_immediately(int milliseconds)
    {
        using var deadline = new DeadlinePool(clock).Start(TimeSpan.FromMilliseconds(milliseconds), CancellationToken.None);

        clock.Advance(TimeSpan.Zero);

        Assert.True(deadline.Token.IsCancellationRequested);
    }

    [Fact]
    public void The_longest_limit_does_not_end()
    {
        using var deadline = new DeadlinePool(clock).Start(TimeSpan.MaxValue, CancellationToken.None);

        clock.Advance(TimeSpan.FromDays(365));

        Assert.False(deadline.Token.IsCancellationRequested);
    }

    [Fact]
    public async Task The_callers_token_and_the_pools_lifetime_end_limits_early_and_nothing_ends_those_that_were_given_back()
    {
        using var caller = new CancellationTokenSource();
        using var lifetime = new CancellationTokenSource();
        var pool = new DeadlinePool(clock, lifetime.Token);
        var limit = TimeSpan.FromSeconds(1);
        var given = pool.Start(limit, CancellationToken.None);
        var back = given.Token;
        given.Dispose();
        using var called = pool.Start(limit, caller.Token);
        using var living = pool.Start(limit, lifetime.Token);
        Assert.Equal(back, called.Token);

        await caller.CancelAsync();
        Assert.True(called.Token.IsCancellationRequested);
        Assert.False(living.Token.IsCancellationRequested);

        await lifetime.CancelAsync();
        Assert.True(living.Token.IsCancellationRequested);
        using var late = pool.Start(limit, CancellationToken.None);
        Assert.True(late.Token.IsCancellationRequested);
    }

    [Fact]
    public void One_timer_serves_all_deadlines_and_none_runs_without_one()
    {
        var pool = new DeadlinePool(clock);
        var deadlines = Enumerable.Range(0, 100).Select(_ => pool.Start(TimeSpan.FromSeconds(1), CancellationToken.None)).ToList();
        Assert.Equal(1, clock.PendingTimers);

        deadlines.ForEach(static deadline => deadline.Dispose());
        clock.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(0, clock.PendingTimers);
    }

    [Fact]
    public void A_pool_that_is_disposed_of_leaves_no_timer()
    {
        var pool = new DeadlinePool(clock);
        using var deadline = pool.Start(TimeSpan.FromSeconds(1), CancellationToken.None);

        pool.Dispose();
        using var late = pool.Start(TimeSpan.FromMilliseconds(1), CancellationToken.None);

        Assert.Equal(0, clock.PendingTimers);
    }

    // Any sequence of starts, returns and waits: a limit ends when its time has come, and never one that was given back.
    [Fact]
    public void Any_limits_end_in_their_time()
    {
        var step = Gen.Choose(0, 9).SelectMany(static kind => Gen.Choose(1, 50).Select(milliseconds => (kind, milliseconds)));
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                step.ListOf().ToArbitrary(),
                steps =>
                {
                    var time = new VirtualClock();
                    var pool = new DeadlinePool(time);
                    var running = new List<(DeadlinePool.Deadline Deadline, TimeSpan End)>();
                    foreach (var (kind, milliseconds) in steps)
                    {
                        var span = TimeSpan.FromMilliseconds(milliseconds);
                        if (kind < 5)
                        {
                            running.Add((pool.Start(span, CancellationToken.None), time.Elapsed + span));
                        }
                        else if (kind < 7 && running.Count > 0)
                        {
                            running[milliseconds % running.Count].Deadline.Dispose();
                            running.RemoveAt(milliseconds % running.Count);
                        }
                        else
                        {
                            time.Advance(span);
                        }

                        if (running.Any(one => one.Deadline.Token.IsCancellationRequested != (one.End <= time.Elapsed)))
                        {
                            return false;
                        }
                    }

                    return true;
                }
            )
        );
    }
}
