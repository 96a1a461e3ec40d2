using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Queues, topics and subscriptions whose settings change while they hold messages.</summary>
public sealed class ChangedSettingsTests : EntityFixture
{
    [Fact]
    public void Waiting_messages_are_forwarded_in_order_and_a_locked_one_follows_when_it_returns()
    {
        var (queue, to) = (Queue(new QueueSettings("from")), Queue(new QueueSettings("to")));
        Send(queue, Encoded.Content("locked"), Encoded.Content("a"), Encoded.Content("b"), Encoded.Content("later", scheduled: Clock.GetUtcNow() + Seconds(5)));
        var held = queue.TryLock()!;
        queue.Change(queue.Settings with { ForwardTo = "to" });
        Assert.Equal(2, queue.Count);
        Assert.Equal(["a", "b"], Ids(to));
        Assert.True(queue.Abandon(held.LockToken, null));
        Clock.Advance(Seconds(5));
        Assert.Equal(0, queue.Count);
        Assert.Equal(["a", "b", "locked", "later"], Ids(to));
    }

    [Fact]
    public void A_message_that_was_not_forwarded_is_received_from_its_queue_when_forwarding_ends()
    {
        var queue = Queue(new QueueSettings("from") { ForwardTo = "to" });
        var to = Queue(new QueueSettings("to"));
        Send(to, Encoded.Content("x"));
        var cost = Budget.UsedBytes;
        Assert.True(to.Complete(to.TryLock()!.LockToken));

        // Room for one message, not for the copy that the destination would get.
        var others = Budget.LimitBytes - cost;
        Assert.True(Budget.TryReserve(others));
        Send(queue, Encoded.Content("a"));
        Assert.Equal((1, 0), (queue.Count, to.Count));
        Assert.Null(queue.TryLock());
        queue.Change(queue.Settings with { ForwardTo = null });
        Budget.Release(others);
        Assert.Equal("a", queue.TryLock()!.Content.MessageId);
        Clock.Advance(Seconds(5));
        Assert.Equal(0, to.Count);
    }

    [Fact]
    public void Time_to_live_holds_for_what_is_there_already()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("a"));
        Clock.Advance(Seconds(5));
        Send(queue, Encoded.Content("b"));
        queue.Change(queue.Settings with { TimeToLive = Seconds(10), DeadLetterExpired = true });
        Clock.Advance(Seconds(6));
        Assert.Equal(["b"], Ids(queue));
        Assert.Equal([("a", "TTLExpiredException")], Dead(queue));
        queue.Change(queue.Settings with { TimeToLive = null });
        Clock.Advance(Seconds(60));
        Assert.Equal(["b"], Ids(queue));
    }

    [Fact]
    public void Locks_and_delivery_counts_obey_the_newest_settings_and_a_lock_that_is_held_stays()
    {
        var queue = Queue(new QueueSettings("queue") { LockDuration = Seconds(30) });
        Send(queue, Encoded.Content("a"));
        var held = queue.TryLock()!;
        queue.Change(queue.Settings with { LockDuration = Seconds(5), MaximumDeliveryCount = 2 });
        Clock.Advance(Seconds(20));
        Assert.True(queue.Abandon(held.LockToken, null));
        Assert.NotNull(queue.TryLock());
        Clock.Advance(Seconds(5));
        Assert.Equal([("a", "MaxDeliveryCountExceeded")], Dead(queue));
    }

    [Fact]
    public void Duplicates_are_detected_within_the_newest_window()
    {
        var queue = Queue(new QueueSettings("queue") { DuplicateDetection = Seconds(60) });
        Send(queue, Encoded.Content("a"));
        queue.Change(queue.Settings with { DuplicateDetection = Seconds(10) });
        Clock.Advance(Seconds(11));
        Send(queue, Encoded.Content("a"));
        Assert.Equal(["a", "a"], Ids(queue));
    }

    [Fact]
    public void The_time_to_live_of_a_topic_limits_that_of_its_subscriptions_after_any_change()
    {
        var topic = Topic(new TopicSettings("topic") { Subscriptions = [new QueueSettings("sub")] });
        var queue = topic.Find("sub")!.Queue;
        Send(topic, Encoded.Content("a"));
        topic.Change(topic.Settings with { TimeToLive = Seconds(10) });
        Assert.True(topic.Change(topic.Find("sub")!.Settings with { TimeToLive = Seconds(20), MaximumDeliveryCount = 1 }));
        Assert.Equal((Seconds(10), 1), (queue.Settings.TimeToLive, queue.Settings.MaximumDeliveryCount));
        Clock.Advance(Seconds(10));
        Assert.Empty(Ids(queue));
        topic.Change(topic.Settings with { TimeToLive = null });
        Assert.Equal(Seconds(20), queue.Settings.TimeToLive);
        Assert.Equal(["sub"], topic.Settings.Subscriptions.Select(static subscription => subscription.Name));
    }

    [Fact]
    public void A_subscription_that_is_not_there_cannot_be_changed() => Assert.False(Topic(new TopicSettings("topic")).Change(new QueueSettings("nowhere")));

    [Fact]
    public void The_newest_settings_and_notes_come_back_and_what_was_created_stays_so()
    {
        using var place = new RestartableRegistry();
        var kept = new Dictionary<string, string> { ["UserMetadata"] = "ü" };
        var begun = place.Clock.GetUtcNow();
        place.Registry.CreateQueue(
            new QueueSettings("queue")
            {
                DuplicateDetection = Seconds(60),
                Notes = new EntityMetadata { Kept = kept },
            }
        );
        place.Registry.CreateTopic(new TopicSettings("topic") { Subscriptions = [new QueueSettings("sub"), new QueueSettings("other")] });
        var queue = place.Registry.FindQueue("queue")!;
        Send(queue, Encoded.Content("a"), Encoded.Content("b"));
        place.Clock.Advance(Seconds(10));
        queue.Change(queue.Settings with { ForwardTo = "nowhere", DuplicateDetection = Seconds(100), MaximumDeliveryCount = 3 });
        place
            .Registry.FindTopic("topic")!
            .Change(
                new TopicSettings("topic")
                {
                    TimeToLive = Seconds(9),
                    Notes = new EntityMetadata { Kept = kept },
                }
            );
        place.Registry.FindTopic("topic")!.Change(new QueueSettings("SUB") { MaximumDeliveryCount = 7 });
        for (var restarts = 0; restarts < 2; restarts++)
        {
            place.Restart();
            queue = place.Registry.FindQueue("queue")!;
            Assert.Equal(("nowhere", Seconds(100), 3), (queue.Settings.ForwardTo, queue.Settings.DuplicateDetection, queue.Settings.MaximumDeliveryCount));
            Assert.Equal(
                (begun, begun + Seconds(10), "ü"),
                (queue.Settings.Notes.Created, queue.Settings.Notes.Changed, queue.Settings.Notes.Kept["UserMetadata"])
            );
            Assert.Equal(["a", "b"], Dead(queue).Select(static dead => dead.Id));
            var topic = place.Registry.FindTopic("topic")!;
            Assert.Equal((Seconds(9), begun, "ü"), (topic.Settings.TimeToLive, topic.Settings.Notes.Created, topic.Settings.Notes.Kept["UserMetadata"]));
            Assert.Equal([("sub", 7), ("other", 10)], topic.Settings.Subscriptions.Select(static one => (one.Name, one.MaximumDeliveryCount)));
            Assert.Equal(Seconds(9), topic.Find("sub")!.Queue.Settings.TimeToLive);
        }
    }
}
