using System.Runtime.InteropServices;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

public sealed class MessageQueueTests : IDisposable
{
    private static readonly TimeSpan LockDuration = TimeSpan.FromSeconds(30);

    private readonly VirtualClock _clock = new();
    private readonly MemoryBudget _budget = new(1 << 20);
    private readonly ServiceBusRegistry _registry;
    private readonly MessageQueue _queue;

    public MessageQueueTests()
    {
        _registry = new ServiceBusRegistry(_budget, _clock);
        _registry.CreateQueue(new QueueSettings("queue") { LockDuration = LockDuration, MaximumDeliveryCount = 3 });
        _queue = _registry.FindQueue("queue")!;
    }

    public void Dispose() => _registry.Dispose();

    [Fact]
    public void Messages_come_in_order_and_each_to_one_receiver()
    {
        Send("a", "b");
        Assert.Equal("a", _queue.TryLock()!.Content.MessageId);
        Assert.Equal("b", _queue.TryLock()!.Content.MessageId);
        Assert.Null(_queue.TryLock());
    }

    [Fact]
    public void A_completed_message_is_gone_and_gives_its_memory_back()
    {
        Send("a");
        Assert.True(_queue.Complete(_queue.TryLock()!.LockToken));
        Assert.Equal(0, _queue.Count);
        Assert.Equal(0, _budget.UsedBytes);
    }

    [Fact]
    public void A_message_on_its_way_to_a_receiver_that_takes_it_comes_back_only_when_it_did_not_arrive()
    {
        Send("a");
        var delivery = _queue.TryTake()!;
        _clock.Advance(LockDuration * 10);
        Assert.Null(_queue.TryTake());
        _queue.Release(delivery.LockToken);
        delivery = _queue.TryTake()!;
        Assert.Equal(0, delivery.DeliveryCount);
        Assert.True(_queue.Taken(delivery.LockToken));
        Assert.Equal((0, 0L), (_queue.Count, _budget.UsedBytes));
    }

    [Fact]
    public void A_lock_can_be_settled_once()
    {
        Send("a");
        var token = _queue.TryLock()!.LockToken;
        Assert.True(_queue.Complete(token));
        Assert.False(_queue.Complete(token));
        Assert.False(_queue.Abandon(token, null));
    }

    [Fact]
    public void An_abandoned_message_returns_to_its_place_and_counts_its_delivery()
    {
        Send("a", "b");
        var first = _queue.TryLock()!;
        Assert.Equal(0, first.DeliveryCount);
        _queue.Abandon(first.LockToken, new AmqpMap { { new AmqpSymbol("note"), "retry" } });
        var again = _queue.TryLock()!;
        Assert.Equal(("a", 1), (again.Content.MessageId, again.DeliveryCount));
        Assert.NotEqual(first.LockToken, again.LockToken);
        Assert.Equal("retry", AmqpMessage.Decode(again.Encode()).ApplicationProperties!["note"]);
    }

    // By the documentation of the service's delivery count, and what its SDKs' own tests expect.
    [Theory]
    [InlineData("abandoned", 1)]
    [InlineData("deferred", 1)]
    [InlineData("deferred twice", 2)]
    [InlineData("expired", 1)]
    [InlineData("renewed and expired", 1)]
    [InlineData("released", 0)]
    [InlineData("dead-lettered", 0)]
    public void Only_a_delivery_that_has_failed_or_is_put_off_counts(string fate, int count)
    {
        Send("a");
        var delivery = _queue.TryLock()!;
        switch (fate)
        {
            case "abandoned":
                Assert.True(_queue.Abandon(delivery.LockToken, null));
                break;
            case "deferred" or "deferred twice":
                Assert.True(_queue.Defer(delivery.LockToken, null));
                if (fate == "deferred twice")
                {
                    Assert.True(_queue.Defer(_queue.TryLockDeferred([1])![0].LockToken, null));
                }

                break;
            case "expired" or "renewed and expired":
                if (fate != "expired")
                {
                    _clock.Advance(LockDuration / 2);
                    Assert.NotNull(_queue.Renew([delivery.LockToken]));
                }

                _clock.Advance(LockDuration);
                break;
            case "released":
                Assert.True(_queue.Release(delivery.LockToken));
                break;
            default:
                Assert.True(_queue.DeadLetter(delivery.LockToken, null));
                break;
        }

        Assert.Equal(count, Assert.Single([.. _queue.Peek(1, 9), .. _queue.DeadLetters!.Peek(1, 9)]).DeliveryCount);
    }

    [Fact]
    public void Putting_off_alone_makes_no_dead_letter_but_the_next_failure_does()
    {
        Send("a");
        _queue.Defer(_queue.TryLock()!.LockToken, null);
        for (var i = 0; i < 5; i++)
        {
            _queue.Defer(_queue.TryLockDeferred([1])![0].LockToken, null);
        }

        _queue.Abandon(_queue.TryLockDeferred([1])![0].LockToken, null);
        Assert.Equal((0, 7), (_queue.Count, _queue.DeadLetters!.TryLock()!.DeliveryCount));
    }

    [Fact]
    public void A_lock_ends_with_its_time_and_the_delivery_counts()
    {
        Send("a");
        var token = _queue.TryLock()!.LockToken;
        _clock.Advance(LockDuration - TimeSpan.FromMilliseconds(1));
        Assert.Null(_queue.TryLock());
        _clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.False(_queue.Complete(token));
        Assert.Equal(1, _queue.TryLock()!.DeliveryCount);
    }

    [Fact]
    public void A_renewed_lock_lasts_from_the_renewal_on()
    {
        Send("a", "b");
        var token = _queue.TryLock()!.LockToken;
        _clock.Advance(TimeSpan.FromSeconds(20));
        _queue.TryLock();
        Assert.Equal(_clock.GetUtcNow() + LockDuration, _queue.Renew([token]));
        _clock.Advance(TimeSpan.FromSeconds(29));
        Assert.True(_queue.Complete(token));
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("b", _queue.TryLock()!.Content.MessageId);
    }

    [Fact]
    public void A_lost_lock_cannot_be_renewed() => Assert.Null(_queue.Renew([Guid.NewGuid()]));

    [Fact]
    public void A_message_that_fails_too_often_becomes_a_dead_letter()
    {
        Send("a");
        for (var i = 0; i < 3; i++)
        {
            _queue.Abandon(_queue.TryLock()!.LockToken, null);
        }

        Assert.Null(_queue.TryLock());
        var dead = AmqpMessage.Decode(_queue.DeadLetters!.TryLock()!.Encode());
        Assert.Equal("MaxDeliveryCountExceeded", dead.ApplicationProperties![AmqpNames.DeadLetterReason]);
        Assert.Equal("queue", dead.MessageAnnotations!.Find(AmqpNames.DeadLetterSource));
    }

    [Fact]
    public void A_dead_letter_keeps_reason_and_description_as_properties_for_any_key_types()
    {
        Send("a");
        _queue.DeadLetter(_queue.TryLock()!.LockToken, new AmqpMap { { new AmqpSymbol(AmqpNames.DeadLetterReason), "why" }, { "extra", 1 } });
        var dead = AmqpMessage.Decode(_queue.DeadLetters!.TryLock()!.Encode());
        Assert.Equal("why", dead.ApplicationProperties![AmqpNames.DeadLetterReason]);
        Assert.Equal(1, dead.ApplicationProperties["extra"]);
        Assert.Equal(0, _queue.Count);
    }

    [Fact]
    public void A_deferred_message_is_delivered_by_its_number_only()
    {
        Send("a");
        var sequence = _queue.TryLock()!.Sequence;
        _queue.Defer(_queue.Peek(1, 1)[0].LockToken, null);
        Assert.Null(_queue.TryLock());
        var deferred = _queue.TryLockDeferred([sequence])![0];
        Assert.True(deferred.IsDeferred);
        _queue.Abandon(deferred.LockToken, null);
        Assert.Null(_queue.TryLock());
        Assert.True(_queue.Complete(_queue.TryLockDeferred([sequence])![0].LockToken));
    }

    [Fact]
    public void Peeking_shows_locked_and_deferred_messages_and_locks_none()
    {
        Send("a", "b", "c");
        var locked = _queue.TryLock()!;
        Assert.Equal(["a", "b", "c"], _queue.Peek(1, 10).Select(static message => message.Content.MessageId));
        Assert.Equal(["b"], _queue.Peek(locked.Sequence + 1, 1).Select(static message => message.Content.MessageId));
        Assert.Equal("b", _queue.TryLock()!.Content.MessageId);
    }

    [Fact]
    public void A_message_that_never_reached_its_receiver_comes_back_uncounted()
    {
        Send("a");
        _queue.Release(_queue.TryLock()!.LockToken);
        Assert.Equal(0, _queue.TryLock()!.DeliveryCount);
    }

    [Fact]
    public void Memory_is_reserved_before_a_message_is_stored()
    {
        using var registry = new ServiceBusRegistry(new MemoryBudget(10), _clock);
        registry.CreateQueue(new QueueSettings("small"));
        Assert.Null(registry.FindQueue("small")!.Send([Encoded.Content("a")], null, 0));
        Assert.Equal(0, registry.FindQueue("small")!.Count);
    }

    [Fact]
    public void Renewing_again_and_again_keeps_no_trace_of_it()
    {
        Send("a");
        var token = _queue.TryLock()!.LockToken;
        for (var i = 0; i < 10_000; i++)
        {
            _clock.Advance(TimeSpan.FromMilliseconds(1));
            Assert.NotNull(_queue.Renew([token]));
        }

        Assert.InRange(_queue.Contents.Locks.Entries, 1, 100);
    }

    [Fact]
    public void Completed_messages_leave_no_lock_entries_and_the_timer_stops_in_the_end()
    {
        for (var i = 0; i < 1_000; i++)
        {
            Send($"{i}");
            _queue.Complete(_queue.TryLock()!.LockToken);
        }

        Assert.InRange(_queue.Contents.Locks.Entries, 0, 100);
        _clock.Advance(LockDuration);
        Assert.Equal((0, 0), (_queue.Contents.Locks.Entries, _clock.PendingTimers));
    }

    [Fact]
    public void Deferred_messages_are_received_all_or_none()
    {
        Send("a", "b");
        _queue.Defer(_queue.TryLock()!.LockToken, null);
        _queue.Defer(_queue.TryLock()!.LockToken, null);
        Assert.Null(_queue.TryLockDeferred([1, 2, 3]));
        Assert.Equal([1L, 2L], _queue.TryLockDeferred([1, 2, 1])!.Select(static delivery => delivery.Sequence));
    }

    [Fact]
    public void A_message_of_a_large_batch_does_not_keep_the_batch()
    {
        var batch = IncomingTransfer.Read(
            Encoded.Batch(null, Encoded.Message("small", messageId: "s"), Encoded.Message(new string('x', 100_000), messageId: "l")),
            AmqpNames.BatchFormat,
            new TransferLimits { MessageBytes = 200_000, BatchBytes = 200_000 }
        );
        var small = MessageContent.Of(batch.Messages[0]);
        Assert.True(MemoryMarshal.TryGetArray(small.Sections.Body, out var held));
        Assert.InRange(held.Array!.Length, 1, 1_000);
        Assert.Equal(MessageParts.Parse(batch.Messages[0].Encoded).EncodedProperties.ToArray(), small.Sections.Properties.ToArray());

        // The large one is nearly all of it: a copy would cost more than it saves.
        Assert.True(MemoryMarshal.TryGetArray(MessageContent.Of(batch.Messages[1]).Sections.Body, out var shared));
        Assert.True(MemoryMarshal.TryGetArray(batch.Envelope.Encoded, out var whole) && shared.Array == whole.Array);
    }

    [Fact]
    public void A_message_without_an_id_gets_one()
    {
        var content = MessageContent.Of(MessageParts.Parse(Encoded.Message("body")));
        Assert.NotEmpty(content.MessageId);
    }

    private void Send(params string[] ids) => Assert.NotNull(_queue.Send([.. ids.Select(id => Encoded.Content(id))], null, 0));
}
