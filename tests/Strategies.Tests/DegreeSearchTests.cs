using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>The search for the degree alone, against services whose knees are known.</summary>
public sealed class DegreeSearchTests
{
    private const int Most = 512;

    public static TheoryData<int, double, bool> Services =>
        [
            .. from knee in new[] { 3, 20, 64, 300 }
            from milliseconds in new[] { 1.0, 10, 50, 500 }
            from spread in new[] { false, true }
            // What no sender reaches takes long to simulate.
            where knee / milliseconds < 80
            select (knee, milliseconds, spread),
        ];

    [Theory]
    [MemberData(nameof(Services))]
    public void The_degree_stays_at_the_knee_for_any_knee_latency_and_spread(int knee, double milliseconds, bool spread)
    {
        // Of latencies of half a second two dozen seconds are a few dozen rounds.
        var (from, share) = milliseconds < 500 ? (15, 0.9) : (60, 0.8);
        var loop = new ClosedLoop(Latencies.Of(milliseconds, spread)) { Knee = knee }.RunUntil(from + 30);

        Assert.InRange(loop.RateBetween(from, from + 30), share * knee * 1000 / milliseconds, double.MaxValue);
        Assert.InRange(loop.MeanDegreeBetween(from, from + 30), 0, 1.25 * knee);
    }

    [Theory]
    [InlineData(8, 50, false)]
    [InlineData(8, 10, false)]
    [InlineData(40, 10, false)]
    [InlineData(150, 10, false)]
    [InlineData(8, 50, true)]
    [InlineData(40, 50, true)]
    [InlineData(150, 50, true)]
    public void The_slowest_hundredth_takes_at_most_half_as_long_again_as_at_the_best_fixed_degree(int knee, double milliseconds, bool spread)
    {
        var found = new ClosedLoop(Latencies.Of(milliseconds, spread)) { Knee = knee }.RunUntil(75);
        var best = new ClosedLoop(Latencies.Of(milliseconds, spread)) { Knee = knee, Fixed = knee }.RunUntil(75);

        Assert.InRange(found.TailBetween(15, 75) / best.TailBetween(15, 75), 0.9, 1.5);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(40)]
    [InlineData(150)]
    public void Bears_a_service_that_is_now_slower_and_now_faster_by_a_fifth(int knee)
    {
        var found = Unsteady(new ClosedLoop(Latencies.Of(50, spread: true)) { Knee = knee });
        var best = Unsteady(new ClosedLoop(Latencies.Of(50, spread: true)) { Knee = knee, Fixed = knee });

        Assert.InRange(found.RateBetween(15, 120), 0.75 * best.RateBetween(15, 120), double.MaxValue);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Does_not_creep_on_a_plateau(bool spread)
    {
        var loop = new ClosedLoop(Latencies.Of(50, spread)) { Knee = 40 }.RunUntil(1800);

        Assert.InRange(loop.MeanDegreeBetween(1500, 1800), 0.9 * 40, 1.15 * 40);
        Assert.InRange(loop.MeanDegreeBetween(1500, 1800) / loop.MeanDegreeBetween(60, 360), 0.93, 1.07);
        Assert.InRange(loop.RateBetween(60, 1800), 0.95 * 800, double.MaxValue);
        Assert.All(loop.Degrees.Where(one => one.At > 20), one => Assert.InRange(one.Degree, 20, 70));
    }

    [Theory]
    [InlineData(40, 8)]
    [InlineData(8, 40)]
    [InlineData(40, 150)]
    [InlineData(150, 40)]
    [InlineData(3, 300)]
    public void Follows_a_knee_that_moves(int before, int after)
    {
        var loop = new ClosedLoop(Latencies.Of(50, spread: false)) { Knee = before }.RunUntil(30);
        loop.Knee = after;
        loop.RunUntil(55);

        Assert.InRange(loop.RateBetween(45, 55), 0.9 * after * 20, double.MaxValue);
        Assert.InRange(loop.MeanDegreeBetween(45, 55), 0, 1.5 * after);
    }

    [Fact]
    public void Holds_the_upper_limit_where_more_always_pays_also_when_all_latencies_double()
    {
        var loop = new ClosedLoop(Latencies.Of(18.5, spread: true)).RunUntil(60);
        loop.Slower = 2;
        loop.RunUntil(90);

        Assert.InRange(loop.MeanDegreeBetween(15, 60), 0.95 * Most, Most);
        Assert.InRange(loop.MeanDegreeBetween(75, 90), 0.95 * Most, Most);
    }

    [Fact]
    public void Does_not_climb_under_constant_time_outs_and_recovers_when_they_end()
    {
        var loop = new ClosedLoop(Latencies.Of(10, spread: false)) { Knee = 40 }.RunUntil(20);
        (loop.Failing, loop.Slower) = (1, 100);
        loop.RunUntil(120);
        (loop.Failing, loop.Slower) = (0, 1);
        loop.RunUntil(145);

        Assert.All(loop.Degrees.Where(one => one.At is > 22 and < 120), one => Assert.InRange(one.Degree, 1, 50));
        Assert.All(loop.Degrees.Where(one => one.At is > 60 and < 120), one => Assert.InRange(one.Degree, 1, 4));
        Assert.InRange(loop.RateBetween(135, 145), 0.9 * 4000, double.MaxValue);
    }

    [Fact]
    public void A_few_failures_do_not_lower_it()
    {
        var loop = new ClosedLoop(Latencies.Of(10, spread: true)) { Knee = 40, Failing = 0.02 }.RunUntil(40);

        Assert.InRange(loop.MeanDegreeBetween(10, 40), 36, 50);
    }

    [Fact]
    public void Learns_nothing_while_input_leaves_places_free()
    {
        var loop = new ClosedLoop(Latencies.Of(10, spread: true)) { Offered = 20 }.RunUntil(60);

        Assert.InRange(loop.Degrees[^1].Degree, 16, 32);
    }

    [Fact]
    public void A_throttle_takes_a_try_of_more_back()
    {
        var loop = new ClosedLoop(Latencies.Of(10, spread: false)) { Knee = 40 }.RunUntil(30);
        var end = 30.0;
        while (loop.Search.Degree != 50)
        {
            loop.RunUntil(end += 0.01);
        }

        loop.Search.Yield();

        Assert.Equal(40, loop.Search.Degree);
    }

    [Fact]
    public void Keeps_within_a_limit_that_moves()
    {
        var loop = new ClosedLoop(Latencies.Of(10, spread: false)).RunUntil(20);
        loop.Search.Most = 30;

        Assert.Equal(30, loop.Search.Degree);
    }

    [Fact]
    public void The_degree_is_between_one_and_the_limit_for_any_history() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(from most in Gen.Choose(1, 100) from steps in Gen.Choose(0, 4000).ListOf() select (most, steps)),
                one =>
                {
                    var clock = new VirtualClock();
                    var search = new DegreeSearch(clock) { Most = one.most };
                    foreach (var step in one.steps)
                    {
                        clock.Advance(TimeSpan.FromMilliseconds(step));
                        Happens(search, step);
                        Assert.InRange(search.Degree, 1, search.Most);
                    }
                }
            )
        );

    private static ClosedLoop Unsteady(ClosedLoop loop)
    {
        var random = new Random(1);
        for (var second = 1; second <= 120; second++)
        {
            loop.Slower = random.NextDouble() < 0.5 ? 0.8 : 1.2;
            loop.RunUntil(second);
        }

        return loop;
    }

    private static void Happens(DegreeSearch search, int step)
    {
        switch (step % 7)
        {
            case 0:
                search.Yield();
                return;
            case 1:
                search.Most = 1 + (step % 100);
                return;
        }

        for (var times = step; times > 0; times--)
        {
            if (step % 7 == 2)
            {
                search.Failed();
            }
            else
            {
                search.Completed(TimeSpan.FromMilliseconds(step % 50));
            }
        }
    }
}
