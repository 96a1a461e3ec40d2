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
    public void Reaches_nine_tenths_of_the_best_degree_within_thirty_seconds_from_cold_and_does_not_creep(int knee, bool spread)
    {
        var (service, degrees) = Run(40, clock => new KneeService(clock, knee, Latency(spread)));

        Assert.InRange(service.RateBetween(30, 40), 0.9 * knee * 1000 / Milliseconds, double.MaxValue);
        Assert.All(degrees.Where(one => one.At > 30), one => Assert.InRange(one.Degree, 1, 2 * knee));
    }

    [Theory]
    [InlineData(8, 40)]
    [InlineData(40, 8)]
    [InlineData(40, 150)]
    [InlineData(150, 40)]
    public void Reaches_it_again_within_fifteen_seconds_after_a_step(int before, int after)
    {
        var (service, _) = Run(45, clock => new KneeService(clock, before, Latency(spread: false)), (20, service => service.Knee = after));

        Assert.InRange(service.RateBetween(35, 45), 0.9 * after * 1000 / Milliseconds, double.MaxValue);
    }

    [Fact]
    public void Does_not_climb_under_constant_time_outs()
    {
        var (_, degrees) = Run(90, clock => new KneeService(clock, 40, Latency(spread: false)), (20, service => service.TimeOut = TimeSpan.FromSeconds(1)));

        var settled = degrees.Last(one => one.At < 20).Degree;
        Assert.All(degrees.Where(one => one.At > 22), one => Assert.InRange(one.Degree, 1, settled));
        Assert.InRange(degrees[^1].Degree, 1, 4);
    }

    [Fact]
    public void Obeys_throttling_and_goes_on_near_the_quota()
    {
        const double Quota = 1000;
        var (service, _) = Run(180, clock => new KneeService(clock, 400, Latency(spread: true)) { Quota = Quota });

        // A share of the second's worth in hand and of finding the quota is refused; after a minute it is found.
        Assert.InRange(service.RateBetween(60, 180), 0.95 * Quota, double.MaxValue);
        Assert.InRange(service.RefusedBetween(60, 180), 0, 0.001 * 120 * Quota);
        Assert.InRange(service.RefusedBetween(0, 180), 0, 0.005 * 180 * Quota);
    }

    private static Func<TimeSpan> Latency(bool spread)
    {
        // Gamma of shape 4: the coefficient of variation is one half.
        var random = new Random(1);
        return () =>
            TimeSpan.FromMilliseconds(
                spread ? -Milliseconds / 4 * Math.Log(random.NextDouble() * random.NextDouble() * random.NextDouble() * random.NextDouble()) : Milliseconds
            );
    }

    private static (KneeService Service, List<(double At, int Degree)> Degrees) Run(
        double seconds,
        Func<VirtualClock, KneeService> open,
        (double At, Action<KneeService> Do)? step = null
    )
    {
        var degrees = new List<(double At, int Degree)>();
        KneeService? service = null;
        VirtualTimeRunner.Run(async clock =>
        {
            using var end = new CancellationTokenSource(TimeSpan.FromSeconds(seconds), clock);
            service = open(clock);
            var context = new StrategyContext
            {
                Degree = 512,
                Sinks = [service],
                TimeProvider = clock,
                Lifetime = end.Token,
                ReportDegree = degree => degrees.Add((clock.Elapsed.TotalSeconds, degree)),
            };
            await using var strategy = StrategyCatalog.Find("adaptive").Create(context);
            service.Watcher = strategy as IWriteWatcher;
            for (var first = 0; !end.IsCancellationRequested; )
            {
                // Never less than the largest degree waits.
                while (first - service.Served.Count < 4096)
                {
                    await strategy.DispatchAsync(Some.Batch(100, first: first), CancellationToken.None);
                    first += 100;
                }

                await clock.DelayAsync(TimeSpan.FromMilliseconds(20), CancellationToken.None);
                if (step is { } change && clock.Elapsed.TotalSeconds >= change.At)
                {
                    change.Do(service);
                    step = null;
                }
            }
        });
        return (service!, degrees);
    }
}
