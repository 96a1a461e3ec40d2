using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Supervision;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

public sealed class KillSequenceTests
{
    [Fact]
    public void Every_point_falls_to_the_same_and_to_a_new_owner_in_turn()
    {
        foreach (
            var points in (KillPoint[][])
                [
                    [KillPoint.BeforeFirstWrite],
                    [KillPoint.BeforeFirstWrite, KillPoint.MessageOnTheWire],
                    [.. KillPoints.All],
                ]
        )
        {
            var cycles = KillSequence.ForKills([.. points, .. points], seed: 1).ToList();

            Assert.Equal([.. points, .. points], cycles.Select(cycle => cycle.Order.Point));
            Assert.All(
                points,
                point => Assert.Equal([false, true], cycles.Where(cycle => cycle.Order.Point == point).Select(cycle => cycle.SameOwner).Order())
            );
        }
    }

    [Fact]
    public void A_few_points_fall_to_both_kinds_of_owner()
    {
        var cycles = KillSequence.ForKills([KillPoint.BeforeFirstWrite, KillPoint.AfterMessageAcknowledged, KillPoint.AfterBlobStored], seed: 1);

        Assert.Equal([true, false, true], cycles.Select(cycle => cycle.SameOwner));
    }

    [Fact]
    public void Is_the_same_for_the_same_seed_and_another_for_another()
    {
        Assert.Equal(KillSequence.ForKills(Round(4), seed: 7), KillSequence.ForKills(Round(4), seed: 7));
        Assert.NotEqual(KillSequence.ForKills(Round(4), seed: 7), KillSequence.ForKills(Round(4), seed: 8));
    }

    [Fact]
    public void Never_asks_for_more_than_a_consumer_comes_to()
    {
        var cycles = KillSequence.ForKills(Round(100), seed: 3).ToList();

        Assert.All(cycles, cycle => Assert.InRange(cycle.Order.Nth, 1, 40));
        Assert.All(cycles.Where(cycle => cycle.DrainAfter is not null), cycle => Assert.Equal((1, 1), (cycle.Order.Nth, cycle.DrainAfter)));
        Assert.Equal(["K11", "K12", "K13"], cycles.Where(cycle => cycle.DrainAfter is not null).Select(cycle => cycle.Order.ToString()).Distinct());
        Assert.Contains(cycles, cycle => cycle.Order is { Point: KillPoint.MessageOnTheWire, Nth: > 30 });
    }

    [Fact]
    public void Drains_do_not_kill()
    {
        var cycles = KillSequence.ForDrains(Enumerable.Range(0, 100).Select(number => number % KillSequence.DrainKinds), seed: 1).ToList();

        Assert.All(cycles, cycle => Assert.Equal(KillPoint.None, cycle.Order.Point));
        Assert.Equal([1, 2, 3, 4, 5, 6], cycles.Select(cycle => cycle.DrainAfter!.Value).Distinct().Order());
        Assert.Equal(50, cycles.Count(cycle => cycle.SameOwner));
    }

    private static IEnumerable<KillPoint> Round(int times) => Enumerable.Repeat(KillPoints.All, times).SelectMany(points => points);
}
