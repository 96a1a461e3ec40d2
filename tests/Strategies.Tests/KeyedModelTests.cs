using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using EventHubThroughput.Workload;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>The closed forms of strategies that keep the order of keys, in virtual time: min(d, K) / m, and at most 1 / (p m) for a key of share p.</summary>
public sealed class KeyedModelTests
{
    private const int Degree = 64;
    private const int Window = 1024;
    private static readonly TimeSpan S = TimeSpan.FromTicks(185_200);
    private static readonly TimeSpan B = TimeSpan.FromTicks(93_500);

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(16)]
    [InlineData(64)]
    [InlineData(256)]
    public void Keys_in_turn_with_constant_latencies_give_the_form_to_the_tick(int keys)
    {
        var events = Events(1024, index => $"key-{index % keys}");

        var elapsed = VirtualTimeRunner.Run(clock =>
            new WindowedRun(clock, Degree, Window).RunAsync(
                "keyed",
                [RecordingSink.Taking(clock, "a", S, []), RecordingSink.Taking(clock, "b", B, [])],
                events,
                batch: 10,
                TestContext.Current.CancellationToken
            )
        );

        Assert.Equal(1024 / Math.Min(Degree, keys) * S, elapsed);
    }

    // Latencies of CV 0.5: m is 19.3 ms. Where there are about as many keys as places, chance leaves some keys idle while others wait.
    [Theory]
    [InlineData(1, 52, 2_000)]
    [InlineData(4, 206, 20_000)]
    [InlineData(16, 778, 20_000)]
    [InlineData(64, 2_784, 20_000)]
    [InlineData(256, 3_300, 20_000)]
    public void Keys_drawn_at_random_give_the_rates_of_the_model(int keys, double model, int count)
    {
        var drawn = new KeyDistribution(keys, skew: 0, seed: keys);
        var form = Math.Min(Degree, keys) / 0.0193;

        var rate = GetRate("keyed", Events(count, drawn.GetKey), seed: 1);

        Assert.InRange(rate, 0.96 * model, 1.04 * model);
        Assert.InRange(rate / form, 0.80, 1.02);
    }

    [Theory]
    [InlineData(0.8)]
    [InlineData(1.0)]
    [InlineData(1.2)]
    public void The_hottest_key_limits_the_rate_and_nothing_else_does(double skew)
    {
        const int Count = 6_000;
        var drawn = new KeyDistribution(1_000, skew, seed: 3);
        var events = Events(Count, drawn.GetKey);
        var hottest = events.CountBy(one => one.Key!).Max(key => key.Value);

        var rate = GetRate("keyed", events, seed: 1);

        Assert.InRange(rate * hottest / Count * 0.0193, 0.93, 1.03);
    }

    // What shards cost: as many keys as places, and of 64 shards some have two of them while others have none.
    [Fact]
    public void Shards_are_slower_than_keys_where_keys_share_them()
    {
        var drawn = new KeyDistribution(Degree, skew: 0, seed: 5);
        var events = Events(10_000, drawn.GetKey);

        var (keyed, shards) = (GetRate("keyed", events, seed: 1), GetRate("keyed-shards", events, seed: 1));

        Assert.InRange(shards / keyed, 0.2, 0.7);
    }

    private static double GetRate(string strategy, List<EventSlot> events, int seed)
    {
        var random = new Random(seed);
        var elapsed = VirtualTimeRunner.Run(clock =>
            new WindowedRun(clock, Degree, Window).RunAsync(
                strategy,
                [Spread(clock, "a", S), Spread(clock, "b", B)],
                events,
                batch: 10,
                TestContext.Current.CancellationToken
            )
        );
        return events.Count / elapsed.TotalSeconds;

        // Gamma of shape 4, the sum of four exponentials: CV 0.5.
        RecordingSink Spread(VirtualClock clock, string name, TimeSpan mean) =>
            new(
                clock,
                name,
                (_, cancellationToken) => clock.DelayAsync(mean / 4 * Enumerable.Range(0, 4).Sum(_ => -Math.Log(1 - random.NextDouble())), cancellationToken),
                []
            );
    }

    private static List<EventSlot> Events(int count, Func<long, string?> keyOf) =>
        [.. Enumerable.Range(0, count).Select(index => Some.Event(index, key: keyOf(index)))];
}
