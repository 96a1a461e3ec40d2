using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>What adaptive finds, against simulated services whose knees are known.</summary>
public sealed class AdaptiveStrategyTests
{
    private const double Milliseconds = 10;

    [Theory]
    [InlineData(8, false)]
    [InlineData(40, false)]
    [InlineData(150, false)]
    [InlineData(8, true)]
    [InlineData(40, true)]
    [InlineData(150, true)]
    public void Reaches_nine_tenths_of_the_best_degree_within_fifteen_seconds_from_cold_and_does_not_creep(int knee, bool spread)
    {
        var run = new AdaptiveRun { Open = clock => new KneeService(clock, knee, Latencies.Of(Milliseconds, spread)) }.For(25);

        Assert.InRange(run.Service.RateBetween(15, 25), 0.9 * knee * 1000 / Milliseconds, double.MaxValue);
        Assert.All(run.Degrees.Where(one => one.At > 15), one => Assert.InRange(one.Degree, 1, 1.5 * knee));
    }

    [Theory]
    [InlineData(8, 40)]
    [InlineData(40, 8)]
    [InlineData(40, 150)]
    [InlineData(150, 40)]
    public void Reaches_it_again_within_fifteen_seconds_after_a_step(int before, int after)
    {
        var run = new AdaptiveRun
        {
            Open = clock => new KneeService(clock, before, Latencies.Of(Milliseconds, spread: false)),
            Step = (10, service => service.Knee = after),
        }.For(35);

        Assert.InRange(run.Service.RateBetween(25, 35), 0.9 * after * 1000 / Milliseconds, double.MaxValue);
        Assert.All(run.Degrees.Where(one => one.At > 25), one => Assert.InRange(one.Degree, 1, 1.5 * after));
    }

    [Fact]
    public void Adaptive_drains_although_the_observer_of_the_degree_throws()
    {
        var written = 0;
        VirtualTimeRunner.Run(async clock =>
        {
            var sink = new RecordingSink(
                clock,
                "a",
                async (_, token) =>
                {
                    await clock.DelayAsync(TimeSpan.FromMilliseconds(Milliseconds), token);
                    written++;
                },
                []
            );
            var reported = 0;
            var context = new StrategyContext
            {
                Sinks = [sink],
                MaxConcurrency = 64,
                TimeProvider = clock,
                ReportConcurrency = _ =>
                {
                    if (++reported > 1)
                    {
                        throw new InvalidOperationException("reported");
                    }
                },
            };
            await using var strategy = new AdaptiveStrategy(context);
            await strategy.DispatchAsync(Some.Batch(400).Events, CancellationToken.None);
            await strategy.DrainAsync(CancellationToken.None);
            Assert.True(reported > 1);
        });

        Assert.Equal(400, written);
    }

    [Fact]
    public void Does_not_climb_under_constant_time_outs()
    {
        var run = new AdaptiveRun
        {
            Open = clock => new KneeService(clock, 40, Latencies.Of(Milliseconds, spread: false)),
            Step = (20, service => service.TimeOut = TimeSpan.FromSeconds(1)),
        }.For(90);

        var settled = run.Degrees.Last(one => one.At < 20).Degree;
        Assert.All(run.Degrees.Where(one => one.At > 22), one => Assert.InRange(one.Degree, 1, settled));
        Assert.InRange(run.Degrees[^1].Degree, 1, 4);
    }

    [Fact]
    public void Uses_a_quota_and_is_hardly_refused_from_the_first_second_on()
    {
        const double Quota = 1000;
        var run = new AdaptiveRun { Open = clock => new KneeService(clock, 400, Latencies.Of(Milliseconds, spread: true)) { Quota = Quota } }.For(180);

        Assert.InRange(run.Service.RateBetween(0, 180), 0.95 * Quota, double.MaxValue);
        Assert.InRange(run.Service.RateBetween(60, 120), 0.95 * Quota, double.MaxValue);
        Assert.InRange(run.Service.RefusedBetween(0, 180), 1, 0.001 * 180 * Quota);
    }

    [Fact]
    public void Adaptive_continues_with_a_service_that_refuses_one_write_in_twenty_at_any_pace()
    {
        const int Rarely = 20;
        var run = new AdaptiveRun
        {
            Open = clock => new KneeService(clock, 40, Latencies.Of(Milliseconds, spread: true)) { RefusesOneIn = Rarely },
            Partitions = 4,
        }.For(60);

        // Each refused write holds a place for two seconds. The initial degree of adaptive, and an equal number in place of those held back, come to
        // 73 a second.
        Assert.InRange(run.Service.RateBetween(10, 60), 50, double.MaxValue);
    }

    [Fact]
    public void Partitions_share_one_knee_evenly_and_one_without_input_leaves_its_places_to_the_others()
    {
        const int Knee = 40;
        const double Best = Knee * 1000 / Milliseconds;
        var most = 0;
        var run = new AdaptiveRun
        {
            Open = clock => new KneeService(clock, Knee, Latencies.Of(Milliseconds, spread: true)),
            Partitions = 4,
            HasInput = (partition, seconds) => partition < 2 || seconds < 20,
            Watch = (service, seconds) => most = seconds > 10 ? Math.Max(most, service.InFlight) : 0,
        }.For(35);

        Assert.InRange(run.Service.RateBetween(10, 20), 0.9 * Best, double.MaxValue);
        Assert.All(["0", "1", "2", "3"], partition => Assert.InRange(run.Service.RateBetween(10, 20, partition), 0.9 * Best / 4, 1.1 * Best / 4));
        Assert.All(["0", "1"], partition => Assert.InRange(run.Service.RateBetween(25, 35, partition), 0.9 * Best / 2, 1.1 * Best / 2));
        Assert.Equal(0, run.Service.RateBetween(25, 35, "2"));
        Assert.InRange(most, Knee, 1.5 * Knee);
    }

    [Fact]
    public void Partitions_share_one_quota()
    {
        const double Quota = 1000;
        var run = new AdaptiveRun
        {
            Open = clock => new KneeService(clock, 400, Latencies.Of(Milliseconds, spread: true)) { Quota = Quota },
            Partitions = 4,
        }.For(60);

        Assert.InRange(run.Service.RateBetween(0, 60), 0.95 * Quota, double.MaxValue);
        Assert.InRange(run.Service.RefusedBetween(0, 60), 1, 0.001 * 60 * Quota);
        Assert.All(["0", "1", "2", "3"], partition => Assert.InRange(run.Service.RateBetween(0, 60, partition), 0.2 * Quota, 0.3 * Quota));
    }

    [Fact]
    public void A_partition_has_at_most_its_own_degree_and_those_that_end_give_theirs_back()
    {
        var limit = new SharedLimit(int.MaxValue);
        VirtualTimeRunner.Run(async clock =>
        {
            var service = new KneeService(clock, 400, Latencies.Of(Milliseconds, spread: false));
            await using (var strategy = AdaptiveRun.Create(clock, service, "0", limit, 3, CancellationToken.None))
            {
                await strategy.DispatchAsync(Some.Batch(500).Events, CancellationToken.None);
                for (var most = 0; service.Served.Count < 500; most = Math.Max(most, service.InFlight))
                {
                    Assert.InRange(most, 0, 3);
                    await clock.DelayAsync(TimeSpan.FromMilliseconds(1), CancellationToken.None);
                }

                await strategy.DrainAsync(CancellationToken.None);
            }

            Assert.Equal(0, limit.Entered);
            Assert.Equal(1, limit.Limit);
        });
    }

    [Fact]
    public async Task A_partition_that_ends_takes_its_throttled_events_with_it()
    {
        var limit = new SharedLimit(int.MaxValue);
        var strategy = new AdaptiveStrategy(new StrategyContext { MaxConcurrency = 3, Limit = limit });
        strategy.Noticed(new WriteNotice(Sink: 0, Sequence: 7, Attempts: 1, Throttled: true, TimeSpan.Zero));

        await strategy.DisposeAsync();

        Assert.Equal(1, limit.Limit);
    }
}
