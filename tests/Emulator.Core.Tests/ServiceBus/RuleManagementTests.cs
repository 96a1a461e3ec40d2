using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Rules;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Rules that are added, listed and refused, and rules that come back after a kill.</summary>
public sealed class RuleManagementTests : IDisposable
{
    private const string Expression = "colour = 'red'  AND size>@least";

    private readonly RestartableRegistry _place = new();

    public RuleManagementTests()
    {
        _place.Registry.CreateTopic(new TopicSettings("topic") { Subscriptions = [new QueueSettings("one")] });
    }

    private Subscription Subscription => _place.Registry.FindTopic("topic")!.Find("one")!;

    public void Dispose() => _place.Dispose();

    [Fact]
    public void An_SQL_filter_is_listed_as_it_was_written_after_a_restart_too()
    {
        Assert.Equal(200, Add("sql", " size > 3 ").Status);
        Assert.Equal(" size > 3 ", Listed());
        _place.Restart();
        Assert.Equal(" size > 3 ", Listed());
        Assert.True(Subscription.Rules[^1].Filter.Takes(Filtered.Message(new AmqpMap { { "size", 4 } })));
        Assert.False(Subscription.Rules[^1].Filter.Takes(Filtered.Message(new AmqpMap { { "size", 3 } })));
    }

    [Fact]
    public void The_rules_that_a_subscription_began_with_come_back_as_they_are_by_then()
    {
        FirstRule[] first = [new("sized", SqlFilter.Of("size > 3", [])), new("never", ConstantFilter.False)];
        var settings = new QueueSettings("two") { Rules = first };
        Assert.Equal(CreateVerdict.Created, _place.Registry.CreateSubscription("topic", settings));
        Assert.True(_place.Registry.FindTopic("topic")!.Find("two")!.TryRemove("never"));
        _place.Restart();
        Assert.Equal(CreateVerdict.Exists, _place.Registry.CreateSubscription("topic", settings));
        Assert.Equal("sized", Assert.Single(_place.Registry.FindTopic("topic")!.Find("two")!.Rules).Name);
    }

    [Fact]
    public void Parameters_come_back_after_a_restart()
    {
        Assert.Equal(200, Add("sql", Expression, parameters: new AmqpMap { { "@least", 3 } }).Status);
        _place.Restart();
        var filter = Assert.IsType<SqlFilter>(Subscription.Rules[^1].Filter);
        Assert.Equal(3, filter.Parameters["@least"]);
        Assert.True(filter.Takes(Filtered.Message(new AmqpMap { { "colour", "red" }, { "size", 4 } })));
    }

    [Fact]
    public void A_malformed_condition_is_refused_and_adds_no_rule()
    {
        var answer = Add("sql", "size >");
        Assert.Equal((400, AmqpNames.ArgumentError), (answer.Status, answer.Condition));
        Assert.Contains("column=7", answer.Description, StringComparison.Ordinal);
        Assert.Equal(SubscriptionRule.DefaultName, Assert.Single(Subscription.Rules).Name);
    }

    [Fact]
    public void An_action_is_refused_by_name()
    {
        var answer = Add("sql", "size > 3", action: "SET size = 4");
        Assert.Equal((501, ErrorCondition.NotImplemented), (answer.Status, answer.Condition));
        Assert.Contains("actions", answer.Description, StringComparison.Ordinal);
        Assert.Single(Subscription.Rules);
    }

    private Answer Add(string name, string expression, string action = "", AmqpMap? parameters = null) =>
        new RuleManagement(Subscription).Add(
            new AmqpMap
            {
                { "rule-name", name },
                {
                    "rule-description",
                    new AmqpMap
                    {
                        {
                            "sql-filter",
                            new AmqpMap { { "expression", expression }, { "parameters", parameters } }
                        },
                        {
                            "sql-rule-action",
                            new AmqpMap { { "expression", action } }
                        },
                    }
                },
            }
        );

    // The expression of the last rule.
    private string Listed()
    {
        var rules = Assert.IsType<AmqpList>(new RuleManagement(Subscription).List([]).Body!["rules"]);
        var description = Assert.IsType<AmqpDescribed>(Assert.IsType<AmqpMap>(rules[^1])["rule-description"]);
        var filter = Assert.IsType<AmqpDescribed>(Assert.IsType<AmqpList>(description.Value)[0]);
        return Assert.IsType<string>(Assert.IsType<AmqpList>(filter.Value)[0]);
    }
}
