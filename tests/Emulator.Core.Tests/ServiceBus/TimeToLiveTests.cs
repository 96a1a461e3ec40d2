using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>When messages expire, and what becomes of them.</summary>
public sealed class TimeToLiveTests : EntityFixture
{
    [Fact]
    public void An_expired_message_leaves_by_itself_and_the_timer_rests_again()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("a", Seconds(5)));
        Send(queue, Encoded.Content("b"));
        Assert.Equal(1, Clock.PendingTimers);
        Clock.Advance(Seconds(5));
        Assert.Equal((1, 0), (queue.Count, queue.DeadLetters!.Count));
        Assert.Equal(0, Clock.PendingTimers);
        queue.Complete(queue.TryLock()!.LockToken);
        Assert.Equal(0, Budget.UsedBytes);
    }

    [Fact]
    public void Expired_message_becomes_a_dead_letter_if_the_queue_is_configured_so()
    {
        var queue = Queue(new QueueSettings("queue") { DeadLetterExpired = true, TimeToLive = Seconds(3) });
        Send(queue, Encoded.Content("a"));
        Clock.Advance(Seconds(3));
        Assert.Equal(("a", "TTLExpiredException"), Assert.Single(Dead(queue)));
        Clock.Advance(TimeSpan.FromDays(30));
        Assert.Equal(1, queue.DeadLetters!.Count);
    }

    [Fact]
    public void The_shorter_of_the_messages_and_the_queues_time_counts()
    {
        var queue = Queue(new QueueSettings("queue") { TimeToLive = Seconds(3) });
        Send(queue, Encoded.Content("long", Seconds(10)), Encoded.Content("short", Seconds(1)));
        Clock.Advance(Seconds(1));
        Assert.Equal(["long"], Ids(queue));
        Clock.Advance(Seconds(2));
        Assert.Empty(Ids(queue));
    }

    [Fact]
    public void A_locked_message_expires_when_its_lock_ends_and_not_before()
    {
        var queue = Queue(new QueueSettings("queue") { LockDuration = LockDuration, DeadLetterExpired = true });
        Send(queue, Encoded.Content("a", Seconds(5)), Encoded.Content("b", Seconds(5)), Encoded.Content("c", Seconds(5)));
        var tokens = Enumerable.Range(0, 3).Select(_ => queue.TryLock()!.LockToken).ToArray();
        Clock.Advance(Seconds(20));
        Assert.Equal(3, queue.Count);
        Assert.True(queue.Complete(tokens[0]));
        Assert.True(queue.Abandon(tokens[1], null));
        Assert.Null(queue.TryLock());
        Assert.Equal(["b"], Dead(queue).Select(static dead => dead.Id));
        Clock.Advance(Seconds(10));
        Assert.Equal(["b", "c"], Dead(queue).Select(static dead => dead.Id));
    }

    [Fact]
    public void A_deferred_message_is_kept_until_it_is_requested()
    {
        var queue = Queue(new QueueSettings("queue") { DeadLetterExpired = true });
        Send(queue, Encoded.Content("a", Seconds(5)), Encoded.Content("b"));
        queue.Defer(queue.TryLock()!.LockToken, null);
        queue.Defer(queue.TryLock()!.LockToken, null);
        Clock.Advance(Seconds(60));
        Assert.Equal(["a", "b"], Ids(queue));
        Assert.Null(queue.TryLockDeferred([2, 1]));
        Assert.Equal(["b"], Ids(queue));
        Assert.Equal(("a", "TTLExpiredException"), Assert.Single(Dead(queue)));
        Assert.Single(queue.TryLockDeferred([2])!);
    }

    [Fact]
    public void The_absolute_time_counts_only_where_the_header_has_none()
    {
        var expiry = Clock.GetUtcNow() + Seconds(5);
        var absolute = Content("absolute", null, expiry);
        var both = Content("both", Seconds(60), expiry);
        var clamped = Content("clamped", TimeSpan.FromMilliseconds(uint.MaxValue), expiry + TimeSpan.FromDays(60));
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, absolute, both, clamped);
        Clock.Advance(Seconds(5));
        Assert.Equal(["both", "clamped"], Ids(queue));
        Clock.Advance(TimeSpan.FromDays(55));
        Assert.Equal(["clamped"], Ids(queue));
        Clock.Advance(TimeSpan.FromDays(6));
        Assert.Empty(Ids(queue));
    }

    [Fact]
    public void The_life_of_a_scheduled_message_begins_when_it_is_enqueued()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("a", Seconds(5), Clock.GetUtcNow() + Seconds(60)));
        Clock.Advance(Seconds(64));
        Assert.Equal(["a"], Ids(queue));
        Clock.Advance(Seconds(1));
        Assert.Empty(Ids(queue));
    }

    [Theory]
    [InlineData(null, 3_600_000u)]
    [InlineData(600_000u, 600_000u)]
    [InlineData(36_000_000u, 3_600_000u)]
    public void A_receiver_gets_the_queues_limit_where_it_is_the_shorter_one(uint? own, uint expected)
    {
        var queue = Queue(new QueueSettings("queue") { TimeToLive = TimeSpan.FromHours(1) });
        var life = own is { } milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : (TimeSpan?)null;
        Send(queue, life is { } time ? Content("a", life, Clock.GetUtcNow() + time) : Encoded.Content("a"));
        foreach (var delivery in (QueueDelivery[])[queue.Peek(0, 1)[0], queue.TryLock()!])
        {
            var message = Decode(delivery);
            Assert.Equal(expected, message.Header!.Ttl);
            if (life is not null)
            {
                Assert.Equal(Clock.GetUtcNow() + TimeSpan.FromMilliseconds(expected), message.Properties!.AbsoluteExpiryTime!.Value.ToDateTimeOffset());
            }
        }
    }

    [Fact]
    public void A_limit_of_more_than_the_header_can_hold_is_in_the_properties()
    {
        var queue = Queue(new QueueSettings("queue") { TimeToLive = TimeSpan.FromDays(60) });
        Send(queue, Encoded.Content("a"));
        var message = Decode(queue.TryLock()!);
        Assert.Equal(uint.MaxValue, message.Header!.Ttl);
        Assert.Equal(Clock.GetUtcNow() + TimeSpan.FromDays(60), message.Properties!.AbsoluteExpiryTime!.Value.ToDateTimeOffset());
        Assert.Equal(Clock.GetUtcNow(), message.Properties.CreationTime!.Value.ToDateTimeOffset());
    }

    [Fact]
    public void A_message_without_any_time_limit_has_no_ttl()
    {
        var queue = Queue(new QueueSettings("queue"));
        Send(queue, Encoded.Content("a"));
        Assert.Null(Decode(queue.TryLock()!).Header!.Ttl);
    }

    private static MessageContent Content(string id, TimeSpan? life, DateTimeOffset expiry) =>
        MessageContent.Of(
            MessageParts.Parse(
                new AmqpMessage
                {
                    Header = life is { } time ? new MessageHeader { Ttl = (uint)time.TotalMilliseconds } : null,
                    Properties = new MessageProperties { MessageId = id, AbsoluteExpiryTime = AmqpTimestamp.From(expiry) },
                }.Encode()
            )
        );
}
