using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>What comes back after the process was killed. The queue's own states are in <see cref="MessageQueueModelTests"/>.</summary>
public sealed class DurabilityTests : IDisposable
{
    private readonly RestartableRegistry _place = new();

    public void Dispose() => _place.Dispose();

    [Fact]
    public void Queues_topics_subscriptions_and_their_settings_come_back()
    {
        var queue = new QueueSettings("Queue")
        {
            LockDuration = TimeSpan.FromSeconds(7),
            MaximumDeliveryCount = 4,
            TimeToLive = TimeSpan.FromDays(3),
            DeadLetterExpired = true,
            DuplicateDetection = TimeSpan.FromMinutes(1),
            ForwardTo = "a",
            ForwardDeadLettersTo = "b",
        };
        var topic = new TopicSettings("Topic")
        {
            TimeToLive = TimeSpan.FromDays(1),
            DuplicateDetection = TimeSpan.FromMinutes(2),
            Subscriptions = [new QueueSettings("Sub") { MaximumDeliveryCount = 2 }],
        };
        Assert.Equal(CreateVerdict.Created, _place.Registry.CreateQueue(queue));
        Assert.Equal(CreateVerdict.Created, _place.Registry.CreateTopic(topic));
        Assert.Equal(CreateVerdict.Created, _place.Registry.CreateQueue(new QueueSettings("gone")));
        Assert.True(_place.Registry.DeleteQueue("GONE"));
        _place.Restart();
        var found = Assert.Single(_place.Registry.AllQueues).Settings;
        Assert.Equal(queue with { Notes = found.Notes }, found);
        Assert.Equal(_place.Clock.GetUtcNow(), found.Notes.Created);
        Assert.Equal(CreateVerdict.Exists, _place.Registry.CreateQueue(queue with { Name = "queue" }));
        Assert.Equal(CreateVerdict.Exists, _place.Registry.CreateTopic(topic));
        Assert.Equal(CreateVerdict.Differs, _place.Registry.CreateTopic(topic with { TimeToLive = null }));
        Assert.Equal(CreateVerdict.Differs, _place.Registry.CreateSubscription("topic", new QueueSettings("sub")));
        Assert.Equal("Sub", Assert.Single(_place.Registry.FindTopic("topic")!.Subscriptions).Settings.Name);
    }

    [Fact]
    public void Names_with_slashes_are_not_folders_and_are_restored()
    {
        _place.Registry.CreateQueue(new QueueSettings("orders/eu"));
        _place.Registry.CreateTopic(new TopicSettings("orders/eu/news") { Subscriptions = [new QueueSettings("all")] });
        _place.Registry.FindQueue("orders/eu")!.Send([Encoded.Content("1")], null, 0);
        _place.Restart();
        Assert.Equal(1, _place.Registry.FindQueue("Orders/EU")!.Count);
        Assert.NotNull(_place.Registry.FindTopic("orders/eu/news")!.Find("all"));
    }

    [Fact]
    public void Rules_and_what_subscriptions_hold_come_back_and_deleted_ones_do_not()
    {
        _place.Registry.CreateTopic(new TopicSettings("topic") { Subscriptions = [new QueueSettings("a"), new QueueSettings("b"), new QueueSettings("c")] });
        var topic = _place.Registry.FindTopic("topic")!;
        topic.Find("b")!.TryRemove(SubscriptionRule.DefaultName);
        topic.Find("b")!.TryAdd("only", CorrelationFilter.Of(new AmqpMap { { "message-id", "1" }, { "properties", new AmqpMap() } })!);
        topic.Send([Encoded.Content("1"), Encoded.Content("2")], null, 0);
        topic.Send([Encoded.Content("later", scheduled: _place.Clock.GetUtcNow().AddSeconds(10))], null, 0);
        Settle(topic.Find("a")!.Queue, static (queue, token) => queue.DeadLetter(token, null));
        _place.Registry.DeleteSubscription("topic", "c");
        _place.Restart();

        topic = _place.Registry.FindTopic("topic")!;
        topic.Send([Encoded.Content("3")], null, 0);
        _place.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(["2", "3", "later"], Ids(topic.Find("a")!.Queue));
        Assert.Equal(["1"], Ids(topic.Find("a")!.Queue.DeadLetters!));
        Assert.Equal(["1"], Ids(topic.Find("b")!.Queue));
        Assert.Null(topic.Find("c"));
        Assert.Equal(CreateVerdict.Created, _place.Registry.CreateSubscription("topic", new QueueSettings("d")));
        Assert.Empty(Ids(topic.Find("d")!.Queue));
    }

    [Fact]
    public void A_batch_is_there_whole_or_not_at_all()
    {
        _place.Registry.CreateQueue(new QueueSettings("queue"));
        _place.Registry.FindQueue("queue")!.Send([Encoded.Content("a")], null, 0);
        _place.Registry.FindQueue("queue")!.Send([Encoded.Content("b"), Encoded.Content("c")], null, 0);
        _place.RestartWithTornEnd("queues", "queue", bytes: 3);
        Assert.Equal(["a"], Ids(_place.Registry.FindQueue("queue")!));
        _place.Registry.FindQueue("queue")!.Send([Encoded.Content("d")], null, 0);
        _place.Restart();
        Assert.Equal(["a", "d"], Ids(_place.Registry.FindQueue("queue")!));
    }

    [Fact]
    public void A_log_that_is_mostly_dead_is_rewritten_without_a_loss()
    {
        _place.Registry.CreateQueue(new QueueSettings("queue") { DuplicateDetection = TimeSpan.FromDays(1), MaximumDeliveryCount = 5 });
        var queue = _place.Registry.FindQueue("queue")!;
        queue.Send([.. "abcde".Select(static id => Encoded.Content($"{id}"))], null, 0);
        Settle(queue, static (queue, token) => queue.Abandon(token, new AmqpMap { { "note", "again" } }));
        Settle(queue, static (queue, token) => queue.Defer(token, null));
        Settle(queue, static (queue, token) => queue.DeadLetter(token, null));
        queue.Send([Encoded.Content("later", scheduled: _place.Clock.GetUtcNow().AddDays(1))], null, 0);
        queue.Send([Encoded.Content("due", scheduled: _place.Clock.GetUtcNow().AddSeconds(1))], null, 0);
        _place.Clock.Advance(TimeSpan.FromSeconds(1));
        var before = Shown(queue);
        const int churned = 20;
        for (var i = 0; i < churned; i++)
        {
            Churn(queue, i);
        }

        Assert.InRange(_place.DiskBytes, 1, 5_000_000);
        Assert.Equal(before, Shown(queue));
        _place.Restart();
        queue = _place.Registry.FindQueue("queue")!;
        Assert.Equal(before, Shown(queue));
        Assert.True(queue.Send([Encoded.Content("churn 0")], null, 0)!.IsDuplicate(0));
        var next = queue.Send([Encoded.Content("next")], null, 0)!.Sequences[0];
        Assert.Equal(9 + churned, next);
    }

    [Fact]
    public void A_queue_that_goes_when_it_is_idle_goes_after_a_restart_too_which_counts_as_use()
    {
        var notes = new EntityMetadata { Kept = new Dictionary<string, string> { [EntityMetadata.IdleName] = "PT5M" } };
        _place.Registry.CreateQueue(new QueueSettings("queue") { Notes = notes });
        _place.Clock.Advance(TimeSpan.FromMinutes(4));
        _place.Restart();
        _place.Clock.Advance(TimeSpan.FromMinutes(4));
        Assert.NotNull(_place.Registry.FindPresentQueue("queue"));
        _place.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(_place.Registry.FindPresentQueue("queue"));
        _place.Restart();
        Assert.Null(_place.Registry.FindPresentQueue("queue"));
    }

    [Fact]
    public void A_shared_message_is_written_once_when_the_log_is()
    {
        _place.Registry.CreateTopic(new TopicSettings("topic") { Subscriptions = [.. "abcd".Select(static name => new QueueSettings($"{name}"))] });
        var topic = _place.Registry.FindTopic("topic")!;
        topic.Send([Large("kept", 1_000_000)], null, 0);
        for (var i = 0; i < 18; i++)
        {
            topic.Send([Large($"{i}", 1_000_000)], null, 0);
            foreach (var subscription in topic.Subscriptions)
            {
                var locked = subscription.Queue.TryLock()!;
                var next = subscription.Queue.TryLock()!;
                subscription.Queue.Complete(next.LockToken);
                subscription.Queue.Release(locked.LockToken);
            }
        }

        Assert.InRange(_place.DiskBytes, 1_000_000, 4_000_000);
        _place.Restart();
        Assert.All(_place.Registry.FindTopic("topic")!.Subscriptions, static subscription => Assert.Equal(["kept"], Ids(subscription.Queue)));
        Assert.InRange(_place.Budget.UsedBytes, 1_000_000, 1_100_000);
    }

    [Theory]
    [InlineData("a", "b")]
    [InlineData("b", "a")]
    public void A_message_in_transit_to_another_queue_arrives_after_the_restart_and_is_kept_there(string from, string to)
    {
        _place.Registry.CreateQueue(new QueueSettings(to));
        _place.Registry.CreateQueue(new QueueSettings(from) { ForwardTo = to });
        _place.Registry.FindQueue(from)!.Send([Later("1"), Later("2")], null, 0);
        RestartWhenDue();
        Assert.Equal(["1", "2"], Ids(_place.Registry.FindQueue(to)!));
        Assert.Empty(Ids(_place.Registry.FindQueue(from)!));
        Settle(_place.Registry.FindQueue(to)!, static (queue, token) => queue.Complete(token));
        _place.Restart();
        Assert.Equal(["2"], Ids(_place.Registry.FindQueue(to)!));
        Settle(_place.Registry.FindQueue(to)!, static (queue, token) => queue.Complete(token));
        _place.Restart();
        Assert.Equal(0, _place.Registry.FindQueue(to)!.Count + _place.Registry.FindQueue(from)!.Count);
        Assert.Equal(0, _place.Budget.UsedBytes);
    }

    [Fact]
    public void A_message_in_transit_to_a_topic_arrives_after_the_restart_and_is_kept_there()
    {
        _place.Registry.CreateTopic(
            new TopicSettings("topic")
            {
                DuplicateDetection = TimeSpan.FromHours(1),
                Subscriptions = [new QueueSettings("sub") { ForwardTo = "end" }, new QueueSettings("other")],
            }
        );
        _place.Registry.CreateQueue(new QueueSettings("end"));
        _place.Registry.CreateQueue(new QueueSettings("from") { ForwardTo = "topic" });
        _place.Registry.FindQueue("from")!.Send([Later("1"), Later("2")], null, 0);
        RestartWhenDue();
        for (var restarts = 0; restarts < 2; restarts++)
        {
            Assert.Equal(["1", "2"], Ids(_place.Registry.FindTopic("topic")!.Find("other")!.Queue));
            Assert.Equal(["1", "2"], Ids(_place.Registry.FindQueue("end")!));
            _place.Restart();
        }

        Assert.True(_place.Registry.FindTopic("topic")!.Send([Encoded.Content("1")], null, 0)!.IsDuplicate(0));
    }

    [Fact]
    public void A_message_that_was_withdrawn_may_be_sent_again_after_a_restart()
    {
        _place.Registry.CreateQueue(new QueueSettings("queue") { DuplicateDetection = TimeSpan.FromHours(1) });
        var queue = _place.Registry.FindQueue("queue")!;
        queue.Send([Encoded.Content("before")], null, 0);
        Assert.Throws<IOException>(() => queue.Send([Encoded.Content("a"), Encoded.Content("b")], static _ => throw new IOException(), 0));
        queue.Send([Encoded.Content("after")], null, 0);
        _place.Restart();
        queue = _place.Registry.FindQueue("queue")!;
        Assert.Equal(["before", "after"], Ids(queue));
        Assert.DoesNotContain(0, queue.Send([Encoded.Content("a"), Encoded.Content("b")], null, 0)!.Arrivals);
        Assert.Equal(["before", "after", "a", "b"], Ids(queue));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Remembered_identifiers_do_not_cause_a_rewrite_of_the_log(bool topic)
    {
        var entity = Unique(topic);
        for (var i = 0; i < 160; i++)
        {
            // Their place is the window alone.
            entity.Send(
                [.. Enumerable.Range(0, 500).Select(j => Encoded.Content($"{i}-{j}-{new string('é', 120)}", life: TimeSpan.FromMilliseconds(1)))],
                null,
                0
            );
            _place.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        var before = _place.DiskBytes;
        entity.Send([Large("new", 100_000)], null, 0);
        Settle(entity as MessageQueue ?? ((Topic)entity).Find("sub")!.Queue, static (queue, token) => queue.Complete(token));
        entity.Send([Encoded.Content("newer")], null, 0);
        Assert.InRange(_place.DiskBytes, before + 100_000, before + 101_000);
        _place.Restart();
        entity = _place.Registry.Find("unique")!;
        Assert.True(entity.Send([Encoded.Content("newer")], null, 0)!.IsDuplicate(0));
    }

    [Fact]
    public void A_log_that_cannot_be_rewritten_continues_to_accept_messages()
    {
        _place.Registry.CreateQueue(new QueueSettings("queue"));
        _place.KeepFromCompacting("queues", "queue");
        var queue = _place.Registry.FindQueue("queue")!;
        for (var i = 0; i < 20; i++)
        {
            Churn(queue, i);
        }

        queue.Send([Encoded.Content("a")], null, 0);
        Assert.Equal(["a"], Ids(queue));
        Assert.InRange(_place.DiskBytes, 20_000_000, 21_000_000);
    }

    private IMessageEntity Unique(bool topic)
    {
        var window = TimeSpan.FromHours(1);
        if (topic)
        {
            _place.Registry.CreateTopic(new TopicSettings("unique") { DuplicateDetection = window, Subscriptions = [new QueueSettings("sub")] });
        }
        else
        {
            _place.Registry.CreateQueue(new QueueSettings("unique") { DuplicateDetection = window });
        }

        return _place.Registry.Find("unique")!;
    }

    private MessageContent Later(string id) => Encoded.Content(id, scheduled: _place.Clock.GetUtcNow().AddSeconds(1));

    // The time of what is scheduled comes while nothing runs.
    private void RestartWhenDue()
    {
        _place.Registry.Dispose();
        _place.Clock.Advance(TimeSpan.FromSeconds(2));
        _place.Restart();
    }

    private static void Churn(MessageQueue queue, int number)
    {
        queue.Send([Large($"churn {number}", 1_000_000)], null, 0);
        var held = new List<Guid>();
        while (queue.TryLock() is { } delivery)
        {
            if (delivery.Content.MessageId.StartsWith("churn", StringComparison.Ordinal))
            {
                queue.Complete(delivery.LockToken);
            }
            else
            {
                held.Add(delivery.LockToken);
            }
        }

        held.ForEach(token => queue.Release(token));
    }

    private static void Settle(MessageQueue queue, Func<MessageQueue, Guid, bool> settle) => Assert.True(settle(queue, queue.TryLock()!.LockToken));

    private static string[] Ids(MessageQueue queue) => [.. queue.Peek(0, int.MaxValue).Select(static message => message.Content.MessageId)];

    private static string[] Shown(MessageQueue queue) =>
        [.. queue.Peek(0, int.MaxValue).Concat(queue.DeadLetters!.Peek(0, int.MaxValue)).Select(static message => Convert.ToBase64String(message.Encode()))];

    private static MessageContent Large(string id, int bytes) => MessageContent.Of(MessageParts.Parse(Encoded.Message(new string('x', bytes), messageId: id)));
}
