using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests;

public sealed class EmulatedNameTests
{
    [Theory]
    [InlineData("company.common.messages~orderupdated")]
    [InlineData("a/b~c/d")]
    [InlineData("under_score-hyphen.dot~tilde")]
    [InlineData("0")]
    public void Queues_and_topics_may_have_these_names(string name) => Assert.Null(EmulatedName.PathFault(name));

    [Theory]
    [InlineData("~a")]
    [InlineData("a~")]
    [InlineData("a+b")]
    [InlineData("a b")]
    [InlineData("a//b")]
    [InlineData("a\n")]
    public void Queues_and_topics_may_not_have_these(string name) => Assert.NotNull(EmulatedName.PathFault(name));

    [Theory]
    [InlineData("a~b")]
    [InlineData("a/b")]
    public void Hubs_subscriptions_and_groups_may_not_have_these(string name)
    {
        Assert.NotNull(EmulatedName.Fault(name));
        Assert.NotNull(EmulatedName.GroupFault(name));
    }
}
