using EventHubThroughput.Consumer.Supervision;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Supervision;

public sealed class HandoverScriptTests
{
    [Fact]
    public void As_many_die_as_leave_and_each_with_a_successor_before_and_after()
    {
        var changes = HandoverScript.Of(owners: 4, cycles: 40, seed: 1).ToList();

        foreach (var kind in new[] { (false, false), (false, true), (true, false), (true, true) })
        {
            Assert.Equal(10, changes.Count(change => (change.Dies, change.JoinFirst) == kind));
        }
    }

    [Fact]
    public void Names_only_members_that_the_crew_has_and_each_of_them()
    {
        var changes = HandoverScript.Of(owners: 2, cycles: 400, seed: 1).ToList();

        Assert.Equal([0, 1], changes.Where(change => !change.JoinFirst).Select(change => change.Member).Distinct().Order());
        Assert.Equal([0, 1, 2], changes.Where(change => change.JoinFirst).Select(change => change.Member).Distinct().Order());
        Assert.All(changes, change => Assert.InRange(change.After, 1, 40));
    }

    [Fact]
    public void Is_the_same_for_the_same_seed_and_another_for_another()
    {
        Assert.Equal(HandoverScript.Of(2, 50, seed: 7), HandoverScript.Of(2, 50, seed: 7));
        Assert.NotEqual(HandoverScript.Of(2, 50, seed: 7), HandoverScript.Of(2, 50, seed: 8));
    }
}
