using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>The search for a quota's pace alone.</summary>
public sealed class PaceSearchTests
{
    [Theory]
    [InlineData(200, 1, 1.3)]
    [InlineData(200, 0.1, 10)]
    [InlineData(1000, 0.1, 2.7)]
    [InlineData(1000, 1, 1.02)]
    [InlineData(1000, 1, 2.7)]
    [InlineData(1000, 5, 10)]
    [InlineData(5000, 1, 10)]
    public void Uses_a_quota_and_is_hardly_refused_from_the_first_second_on(double quota, double burst, double offered)
    {
        var loop = new QuotaLoop(offered * quota) { Quota = quota, Burst = burst }.RunUntil(120);

        Assert.InRange(loop.RateBetween(0, 120), 0.95 * quota, double.MaxValue);
        Assert.InRange(loop.RefusedShare(0, 120), 0, 0.001);
    }

    [Fact]
    public void Follows_a_quota_that_falls_and_one_that_rises()
    {
        var loop = new QuotaLoop(3000) { Quota = 1000 }.RunUntil(60);
        loop.Quota = 500;
        loop.RunUntil(120);
        loop.Quota = 2000;
        loop.RunUntil(240);

        Assert.InRange(loop.RateBetween(65, 120), 0.95 * 500, double.MaxValue);
        Assert.InRange(loop.RateBetween(180, 240), 0.95 * 2000, double.MaxValue);
        Assert.InRange(loop.RefusedShare(60, 240), 0, 0.001);
    }

    [Fact]
    public void Forgets_a_quota_that_is_gone()
    {
        var loop = new QuotaLoop(3000) { Quota = 500 }.RunUntil(60);
        Assert.NotNull(loop.Search.Pace);

        loop.Quota = double.MaxValue;
        loop.RunUntil(200);

        Assert.Null(loop.Search.Pace);
    }

    [Theory]
    [InlineData(30, 0.05)]
    [InlineData(100, 0.01)]
    [InlineData(100, 0.05)]
    [InlineData(500, 0.01)]
    [InlineData(500, 0.05)]
    [InlineData(500, 0.3)]
    [InlineData(3000, 0.002)]
    [InlineData(3000, 0.05)]
    public void Does_not_slow_down_for_refusals_that_come_at_any_pace(double offered, double share)
    {
        var loop = new QuotaLoop(offered) { RefusedAnyway = share }.RunUntil(300);

        Assert.InRange(loop.RateBetween(0, 60), 0.25 * offered, double.MaxValue);
        Assert.InRange(loop.RateBetween(60, 300), 0.7 * offered * (1 - share), double.MaxValue);
    }

    [Fact]
    public void Finds_a_quota_beside_refusals_that_come_at_any_pace()
    {
        var loop = new QuotaLoop(3000) { Quota = 500, RefusedAnyway = 0.01 }.RunUntil(300);

        Assert.InRange(loop.RateBetween(0, 300), 0.5 * 500, double.MaxValue);
        Assert.InRange(loop.RefusedShare(0, 300), 0, 0.2);
    }

    [Fact]
    public void Does_not_take_idle_time_for_a_quota()
    {
        var loop = new QuotaLoop(3000) { Quota = 1000 }
            .RunUntil(0.7)
            .IdleUntil(9)
            .RunUntil(40);

        Assert.InRange(loop.RateBetween(12, 40), 0.9 * 1000, double.MaxValue);
    }

    [Fact]
    public void Has_no_pace_without_a_throttle_and_one_throttle_is_a_short_pause_only()
    {
        var clock = new VirtualClock();
        var search = new PaceSearch(clock);
        Assert.Equal(TimeSpan.Zero, search.Next());

        search.Throttled();

        Assert.Equal(TimeSpan.FromMilliseconds(100), search.Next());
        Assert.Null(search.Pace);
    }

    [Fact]
    public void The_pace_never_waits_forever_for_any_history() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(Gen.Choose(0, 2000).ListOf()),
                steps =>
                {
                    var clock = new VirtualClock();
                    var search = new PaceSearch(clock);
                    foreach (var step in steps)
                    {
                        clock.Advance(TimeSpan.FromMilliseconds(step));
                        if (step % 3 == 0)
                        {
                            search.Throttled();
                            continue;
                        }

                        var wait = search.Next();
                        Assert.InRange(wait, TimeSpan.Zero, TimeSpan.FromSeconds(1.1));
                        clock.Advance(wait);
                    }
                }
            )
        );
}
