using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Messages that wait for their time.</summary>
public sealed class SchedulingTests : EntityFixture
{
    [Fact]
    public void A_scheduled_message_is_seen_but_not_received_before_its_time()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("late", scheduled: Clock.GetUtcNow() + Seconds(10)));
        Send(queue, Encoded.Content("now"));
        Assert.Equal(2, Decode(queue.Peek(0, 1)[0]).MessageAnnotations!.Find(AmqpNames.MessageState));
        Assert.Equal((1, 1), (queue.Statistics.Active, queue.Statistics.Scheduled));
        Assert.Equal("now", queue.TryLock()!.Content.MessageId);
        Assert.Null(queue.TryLock());
        Clock.Advance(Seconds(10));
        var due = queue.TryLock()!;
        Assert.Equal(("late", Clock.GetUtcNow()), (due.Content.MessageId, due.Enqueued));
    }

    [Fact]
    public void A_scheduled_message_comes_after_messages_that_were_sent_while_it_waited()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("late", scheduled: Clock.GetUtcNow() + Seconds(10)));
        Send(queue, Encoded.Content("early"));
        Clock.Advance(Seconds(10));
        Assert.Equal(["early", "late"], Ids(queue));
    }

    [Fact]
    public void Its_number_takes_it_back_until_it_is_due()
    {
        var queue = Queue(new QueueSettings("queue"));
        var sequence = Send(queue, Encoded.Content("a", scheduled: Clock.GetUtcNow() + Seconds(10)));
        Assert.True(queue.TryCancelScheduled([sequence]));
        Assert.False(queue.TryCancelScheduled([sequence]));
        Assert.Equal((0, 0L), (queue.Count, Budget.UsedBytes));

        sequence = Send(queue, Encoded.Content("b", scheduled: Clock.GetUtcNow() + Seconds(10)));
        Clock.Advance(Seconds(10));
        Assert.False(queue.TryCancelScheduled([sequence]));
        Assert.Equal(["b"], Ids(queue));
    }

    [Fact]
    public void Several_are_taken_back_all_or_none()
    {
        var queue = Queue(new QueueSettings("queue"));
        var due = Clock.GetUtcNow() + Seconds(10);
        var receipt = queue.Send([Encoded.Content("a", scheduled: due), Encoded.Content("b", scheduled: due)], null, 0)!;
        var sent = Send(queue, Encoded.Content("c"));
        Assert.False(queue.TryCancelScheduled([.. receipt.Sequences, sent]));
        Assert.Equal(3, queue.Count);
        Assert.True(queue.TryCancelScheduled(receipt.Sequences));
        Assert.Equal(["c"], Ids(queue));
    }

    [Fact]
    public void A_schedule_in_the_past_is_ignored()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("a", scheduled: Clock.GetUtcNow()));
        Assert.NotNull(queue.TryLock());
    }
}
