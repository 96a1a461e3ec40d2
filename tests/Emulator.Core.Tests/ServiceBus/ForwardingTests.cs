using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Messages and dead letters that are forwarded to another entity.</summary>
public sealed class ForwardingTests : EntityFixture
{
    [Fact]
    public void Messages_arrive_in_order_before_their_sender_gets_its_outcome()
    {
        var queue = Queue(new QueueSettings("from") { ForwardTo = "To" });
        var to = Queue(new QueueSettings("to"));
        Send(queue, Encoded.Content("a"), Encoded.Content("b"));
        Assert.Equal((0, 2), (queue.Count, to.Count));
        Assert.Equal(["a", "b"], Ids(to));
        Assert.True(to.Complete(to.TryLock()!.LockToken) && to.Complete(to.TryLock()!.LockToken));
        Assert.Equal(0, Budget.UsedBytes);
    }

    [Fact]
    public void The_number_that_a_message_had_where_it_was_sent_to_stays_with_it()
    {
        var queue = Queue(new QueueSettings("from") { ForwardTo = "via" });
        Queue(new QueueSettings("via") { ForwardTo = "to" });
        var to = Queue(new QueueSettings("to"));
        Send(to, Encoded.Content("before"));
        Send(queue, Encoded.Content("a"), Encoded.Content("b"));
        Assert.Equal(
            [(1L, null), (2L, 1L), (3L, 2L)],
            to.Peek(0, 3).Select(static message => (message.Sequence, Decode(message).MessageAnnotations!.FindInteger(AmqpNames.EnqueuedSequenceNumber)))
        );
    }

    [Fact]
    public void A_subscription_forwards_to_a_queue_and_a_queue_to_a_topic()
    {
        var topic = Topic(new TopicSettings("topic") { Subscriptions = [new QueueSettings("sub") { ForwardTo = "to" }, new QueueSettings("kept")] });
        var to = Queue(new QueueSettings("to"));
        Send(Queue(new QueueSettings("from") { ForwardTo = "topic" }), Encoded.Content("a"));
        Assert.Equal(["a"], Ids(to));
        Assert.Equal(["a"], Ids(topic.Find("kept")!.Queue));
        Assert.Equal(0, topic.Find("sub")!.Queue.Count);
    }

    [Fact]
    public void Dead_letters_go_where_they_are_wanted()
    {
        var queue = Queue(
            new QueueSettings("from")
            {
                ForwardDeadLettersTo = "dead",
                TimeToLive = Seconds(5),
                DeadLetterExpired = true,
            }
        );
        var dead = Queue(new QueueSettings("dead"));
        Send(queue, Encoded.Content("rejected"));
        Assert.True(queue.DeadLetter(queue.TryLock()!.LockToken, null));
        Send(queue, Encoded.Content("expired"));
        Clock.Advance(Seconds(5));
        Assert.Equal(["rejected", "expired"], Ids(dead));
        Assert.Equal((0, 0), (queue.Count, queue.DeadLetters!.Count));
    }

    [Fact]
    public void A_scheduled_message_is_forwarded_when_its_time_has_come()
    {
        var queue = Queue(new QueueSettings("from") { ForwardTo = "to" });
        var to = Queue(new QueueSettings("to"));
        Send(queue, Encoded.Content("a", scheduled: Clock.GetUtcNow() + Seconds(5)));
        Assert.Equal((1, 0), (queue.Count, to.Count));
        Clock.Advance(Seconds(5));
        Assert.Equal((0, 1), (queue.Count, to.Count));
    }

    [Fact]
    public void Forwarding_continues_after_any_failure_of_the_destination()
    {
        var broken = true;
        using var registry = new ServiceBusRegistry(Budget, Clock)
        {
            OnDemand = name => broken ? throw new InvalidOperationException() : new QueueSettings(name),
        };
        registry.CreateQueue(new QueueSettings("from") { ForwardTo = "to" });
        var queue = registry.FindQueue("from")!;
        Send(queue, Encoded.Content("a"));
        Send(queue, Encoded.Content("b"));
        Assert.Equal(2, queue.Count);
        broken = false;
        Clock.Advance(Seconds(1));
        Assert.Equal(["a", "b"], Ids(registry.FindQueue("to")!));
    }

    [Fact]
    public void A_loop_ends_in_the_dead_letters_after_four_hops()
    {
        var first = Queue(new QueueSettings("first") { ForwardTo = "second" });
        var second = Queue(new QueueSettings("second") { ForwardTo = "first" });
        Send(first, Encoded.Content("a"));
        Assert.Equal(("a", "MaxTransferHopCountExceeded"), Assert.Single(Dead(first)));
        Assert.Equal((0, 0), (first.Count, second.Count));
        var self = Queue(new QueueSettings("self") { ForwardTo = "self" });
        Send(self, Encoded.Content("b"));
        Assert.Equal(("b", "MaxTransferHopCountExceeded"), Assert.Single(Dead(self)));
    }

    [Fact]
    public void A_loop_of_dead_letters_ends_where_it_is()
    {
        var queue = Queue(new QueueSettings("queue") { ForwardTo = "nowhere", ForwardDeadLettersTo = "queue" });
        Send(queue, Encoded.Content("a"));
        Assert.Equal((0, 1), (queue.Count, queue.DeadLetters!.Count));
    }

    [Fact]
    public void A_message_that_cannot_be_forwarded_becomes_a_dead_letter()
    {
        var queue = Queue(new QueueSettings("from") { ForwardTo = "nowhere" });
        Send(queue, Encoded.Content("a"));
        Assert.Equal(("a", "MessagingEntityNotFound"), Assert.Single(Dead(queue)));
    }

    [Fact]
    public void Without_memory_at_its_destination_a_message_waits_and_is_tried_again()
    {
        var queue = Queue(new QueueSettings("from") { ForwardTo = "to" });
        var to = Queue(new QueueSettings("to"));
        var blocker = Queue(new QueueSettings("blocker"));
        Send(blocker, Large("blocker", 600_000));
        Send(queue, Large("a", 300_000));
        Assert.Equal((1, 0), (queue.Count, to.Count));
        Clock.Advance(Seconds(5));
        Assert.Equal((1, 0), (queue.Count, to.Count));
        blocker.Complete(blocker.TryLock()!.LockToken);
        Clock.Advance(Seconds(1));
        Assert.Equal((0, 1), (queue.Count, to.Count));
    }

    private static MessageContent Large(string id, int bytes) => MessageContent.Of(MessageParts.Parse(Encoded.Message(new string('x', bytes), messageId: id)));

    [Fact]
    public void A_change_of_settings_while_a_message_is_on_its_way_neither_loses_nor_repeats_one()
    {
        var destination = new Destination();
        using var store = new MessageStore("from", Budget, Clock, new ArrivalNumbers(recorded: null), _ => destination);
        var queue = store.AddQueue(0, "from", new QueueSettings("from"));
        store.Start();
        Send(queue, Encoded.Content("locked"), Encoded.Content("a"), Encoded.Content("b"));
        var held = queue.TryLock()!;

        // What returns has a lower number than what is on its way, and so comes before it when everything is put in its place again.
        destination.Meanwhile = () =>
        {
            Assert.True(queue.Abandon(held.LockToken, null));
            queue.Change(queue.Settings with { LockDuration = Seconds(10) });
        };
        queue.Change(queue.Settings with { ForwardTo = "to" });
        Assert.Equal(["a", "locked", "b"], destination.Ids);
        Assert.Equal((0, 0L), (queue.Count, Budget.UsedBytes));
    }

    [Fact]
    public void A_message_that_has_arrived_is_not_received_from_a_queue_that_forwards_no_more()
    {
        var destination = new Destination();
        using var store = new MessageStore("from", Budget, Clock, new ArrivalNumbers(recorded: null), _ => destination);
        var queue = store.AddQueue(0, "from", new QueueSettings("from") { ForwardTo = "to" });
        store.Start();
        destination.Meanwhile = () => queue.Change(queue.Settings with { ForwardTo = null });
        Send(queue, Encoded.Content("a"), Encoded.Content("b"));
        Assert.Equal(["a"], destination.Ids);
        Assert.Equal(["b"], Ids(queue));
        Assert.Equal("b", queue.TryLock()!.Content.MessageId);
    }

    /// <summary>Accepts everything, and runs an action before its first answer.</summary>
    private sealed class Destination : IMessageEntity
    {
        private const int Most = 10;

        public List<string> Ids { get; } = [];

        public Action? Meanwhile { get; set; }

        public string Name => "to";

        public CancellationToken Deleted => CancellationToken.None;

        public Receipt? Send(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops)
        {
            if (Ids.Count == Most)
            {
                throw new IOException("no end of it");
            }

            Ids.AddRange(contents.Select(static content => content.MessageId));
            var meanwhile = Meanwhile;
            Meanwhile = null;
            meanwhile?.Invoke();
            return new Receipt([1], [1]);
        }

        public bool TryCancelScheduled(IReadOnlyList<long> sequences) => false;
    }
}
