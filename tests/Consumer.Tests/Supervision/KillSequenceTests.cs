using EventHubThroughput.Consumer.Supervision;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Supervision;

public sealed class KillSequenceTests
{
    [Fact]
    public void Deals_every_point_equally_often_and_to_both_kinds_of_owner()
    {
        foreach (
            var points in (KillPoint[][])
                [
                    [KillPoint.K1],
                    [KillPoint.K1, KillPoint.K2],
                    [.. KillOrder.Points],
                ]
        )
        {
            var cycles = KillSequence.Of(points, 2 * points.Length, seed: 1).ToList();

            Assert.All(
                points,
                point => Assert.Equal([false, true], cycles.Where(cycle => cycle.Order.Point == point).Select(cycle => cycle.SameOwner).Order())
            );
        }
    }

    [Fact]
    public void Is_the_same_for_the_same_seed_and_another_for_another()
    {
        Assert.Equal(KillSequence.Of(KillOrder.Points, 50, seed: 7), KillSequence.Of(KillOrder.Points, 50, seed: 7));
        Assert.NotEqual(KillSequence.Of(KillOrder.Points, 50, seed: 7), KillSequence.Of(KillOrder.Points, 50, seed: 8));
    }

    [Fact]
    public void Never_asks_for_more_than_a_consumer_comes_to()
    {
        var cycles = KillSequence.Of(KillOrder.Points, 1400, seed: 3).ToList();

        Assert.All(cycles, cycle => Assert.InRange(cycle.Order.Nth, 1, 40));
        Assert.All(cycles.Where(cycle => cycle.DrainAfter is not null), cycle => Assert.Equal((1, 1), (cycle.Order.Nth, cycle.DrainAfter)));
        Assert.Equal(["K11", "K12", "K13"], cycles.Where(cycle => cycle.DrainAfter is not null).Select(cycle => cycle.Order.ToString()).Distinct());
        Assert.Contains(cycles, cycle => cycle.Order is { Point: KillPoint.K2, Nth: > 30 });
    }

    [Fact]
    public void Drains_kill_nobody()
    {
        var cycles = KillSequence.OfDrains(100, seed: 1).ToList();

        Assert.All(cycles, cycle => Assert.Equal(KillPoint.None, cycle.Order.Point));
        Assert.Equal([1, 2, 3, 4, 5, 6], cycles.Select(cycle => cycle.DrainAfter!.Value).Distinct().Order());
        Assert.Equal(50, cycles.Count(cycle => cycle.SameOwner));
    }
}
