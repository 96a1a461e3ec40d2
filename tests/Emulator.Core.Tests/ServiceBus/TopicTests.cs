using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>The messages of a topic, and their receivers.</summary>
public sealed class TopicTests : EntityFixture
{
    private static readonly TopicSettings Settings = new("topic")
    {
        Subscriptions = [new QueueSettings("one"), new QueueSettings("two") { MaximumDeliveryCount = 1 }],
    };

    [Fact]
    public void Every_subscription_gets_every_message_as_its_own()
    {
        var topic = Topic(Settings);
        Send(topic, Encoded.Content("a"), Encoded.Content("b"));
        var (one, two) = (topic.Find("ONE")!.Queue, topic.Find("two")!.Queue);
        Assert.True(one.Complete(one.TryLock()!.LockToken));
        Assert.True(two.Abandon(two.TryLock()!.LockToken, null));
        Assert.Equal(["b"], Ids(one));
        Assert.Equal(["b"], Ids(two));
        Assert.Equal(("a", "MaxDeliveryCountExceeded"), Assert.Single(Dead(two)));
        Assert.Empty(Dead(one));
        Assert.Equal("topic/Subscriptions/two", Decode(two.DeadLetters!.Peek(0, 1)[0]).MessageAnnotations!.Find("x-opt-deadletter-source"));
    }

    [Fact]
    public void The_bytes_are_held_once_and_until_the_last_has_them()
    {
        var topic = Topic(Settings);
        var large = MessageContent.Of(MessageParts.Parse(Encoded.Message(new string('x', 10_000), messageId: "large")));
        Send(topic, large);
        Assert.InRange(Budget.UsedBytes, 10_000, 12_000);
        var (one, two) = (topic.Find("one")!.Queue, topic.Find("two")!.Queue);
        one.Complete(one.TryLock()!.LockToken);
        Assert.InRange(Budget.UsedBytes, 10_000, 12_000);
        two.Complete(two.TryLock()!.LockToken);
        Assert.Equal(0, Budget.UsedBytes);
    }

    [Fact]
    public void A_message_without_a_subscription_is_accepted_and_dropped()
    {
        var topic = Topic(new TopicSettings("empty"));
        Assert.NotNull(topic.Send([Encoded.Content("a")], null, 0));
        Assert.Equal(0, Budget.UsedBytes);
    }

    [Fact]
    public void Rules_decide_and_one_that_takes_it_is_enough()
    {
        var topic = Topic(Settings);
        var subscription = topic.Find("one")!;
        Assert.True(subscription.TryRemove(SubscriptionRule.DefaultName));
        Assert.False(subscription.TryRemove(SubscriptionRule.DefaultName));
        Send(topic, Encoded.Content("none"));
        Assert.True(subscription.TryAdd("never", ConstantFilter.False));
        Assert.False(subscription.TryAdd("NEVER", ConstantFilter.True));
        var red = CorrelationFilter.Of(
            new AmqpMap
            {
                { "label", "alarm" },
                {
                    "properties",
                    new AmqpMap { { "colour", "red" }, { "level", 5L } }
                },
            }
        );
        Assert.True(subscription.TryAdd("red", red!));
        Send(
            topic,
            Coloured("match", "alarm", "red", 5),
            Coloured("label", "quiet", "red", 5),
            Coloured("value", "alarm", "blue", 5),
            Coloured("case", "alarm", "RED", 5)
        );
        Assert.Equal(["match"], Ids(subscription.Queue));
        Assert.Equal(5, topic.Find("two")!.Queue.Count);
    }

    [Fact]
    public void A_filter_without_a_condition_is_none() => Assert.Null(CorrelationFilter.Of(new AmqpMap { { "label", null }, { "properties", new AmqpMap() } }));

    [Fact]
    public void A_scheduled_message_waits_in_the_topic_and_goes_to_the_subscriptions_of_its_due_time()
    {
        var topic = Topic(Settings);
        var due = Clock.GetUtcNow() + Seconds(10);
        var sequence = Send(topic, Encoded.Content("cancelled", scheduled: due));
        Send(topic, Encoded.Content("a", scheduled: due));
        Assert.True(topic.TryCancelScheduled([sequence]));
        Assert.Equal(1, topic.Statistics.Scheduled);
        Registry.CreateSubscription("topic", new QueueSettings("three"));
        Assert.True(Registry.DeleteSubscription("topic", "one"));
        Clock.Advance(Seconds(10));
        Assert.Equal((0, 1, 1), (topic.Statistics.Scheduled, topic.Find("two")!.Queue.Count, topic.Find("three")!.Queue.Count));
        Assert.Null(topic.Find("one"));
    }

    [Fact]
    public void The_topics_time_to_live_and_duplicates_hold_for_all()
    {
        var topic = Topic(Settings with { TimeToLive = Seconds(5), DuplicateDetection = Seconds(20) });
        Send(topic, Encoded.Content("a"), Encoded.Content("a"));
        Assert.All(topic.Subscriptions, static subscription => Assert.Equal(1, subscription.Queue.Count));
        Clock.Advance(Seconds(5));
        Assert.All(topic.Subscriptions, static subscription => Assert.Equal(0, subscription.Queue.Count));
    }

    [Fact]
    public void Deleting_a_subscription_frees_what_it_held_and_ends_its_links()
    {
        var topic = Topic(Settings);
        Send(topic, Encoded.Content("a"));
        var gone = topic.Find("one")!.Queue;
        Assert.True(Registry.DeleteSubscription("topic", "One"));
        Assert.False(Registry.DeleteSubscription("topic", "One"));
        Assert.True(gone.Deleted.IsCancellationRequested);
        Assert.Null(gone.TryLock());
        var two = topic.Find("two")!.Queue;
        two.Complete(two.TryLock()!.LockToken);
        Assert.Equal(0, Budget.UsedBytes);
    }

    private static MessageContent Coloured(string id, string label, string colour, int level) =>
        MessageContent.Of(
            MessageParts.Parse(
                new AmqpMessage
                {
                    Properties = new MessageProperties { MessageId = id, Subject = label },
                    ApplicationProperties = new AmqpMap { { "colour", colour }, { "level", level } },
                }.Encode()
            )
        );
}
