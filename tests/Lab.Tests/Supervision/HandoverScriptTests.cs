using EventHubThroughput.Lab.Supervision;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

public sealed class HandoverScriptTests
{
    [Fact]
    public void As_many_die_as_leave_and_each_with_a_successor_before_and_after()
    {
        var changes = HandoverScript.For(owners: 4, Kinds(40), seed: 1).ToList();

        foreach (var kind in new[] { (false, false), (false, true), (true, false), (true, true) })
        {
            Assert.Equal(10, changes.Count(change => (change.Dies, change.JoinFirst) == kind));
        }
    }

    [Fact]
    public void Names_only_members_that_the_crew_has_and_each_of_them()
    {
        var changes = HandoverScript.For(owners: 2, Kinds(400), seed: 1).ToList();

        Assert.Equal([0, 1], changes.Where(change => !change.JoinFirst).Select(change => change.Member).Distinct().Order());
        Assert.Equal([0, 1, 2], changes.Where(change => change.JoinFirst).Select(change => change.Member).Distinct().Order());
        Assert.All(changes, change => Assert.InRange(change.After, 1, 40));
    }

    [Fact]
    public void Is_the_same_for_the_same_seed_and_another_for_another()
    {
        Assert.Equal(HandoverScript.For(2, Kinds(50), seed: 7), HandoverScript.For(2, Kinds(50), seed: 7));
        Assert.NotEqual(HandoverScript.For(2, Kinds(50), seed: 7), HandoverScript.For(2, Kinds(50), seed: 8));
    }

    [Theory]
    [InlineData(1, "leaves")]
    [InlineData(2, "leaves, dies")]
    [InlineData(4, "leaves, leaves with a successor before, dies, dies with a successor before")]
    public void A_few_changes_of_owner_include_a_death_for_any_strategies(int cycles, string expected)
    {
        foreach (var strategies in new[] { 1, 4 })
        {
            var kinds = KillSchedule.Deal(strategies, HandoverScript.Kinds, cycles).SelectMany(one => one);

            Assert.Equal(
                expected,
                string.Join(
                    ", ",
                    HandoverScript
                        .For(2, kinds, seed: 1)
                        .Select(change => (change.Dies ? "dies" : "leaves") + (change.JoinFirst ? " with a successor before" : ""))
                )
            );
        }
    }

    private static IEnumerable<int> Kinds(int cycles) => KillSchedule.Deal(1, HandoverScript.Kinds, cycles)[0];
}
