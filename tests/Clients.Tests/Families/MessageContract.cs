using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>The operations on messages, for each family of clients.</summary>
/// <param name="family">The family.</param>
public abstract class MessageContract(ClientFamily family) : EmulatedTests
{
    private protected static readonly TimeSpan Wait = TimeSpan.FromSeconds(30);

    [Fact(Timeout = Limit)]
    public async Task The_observer_is_called_once_for_each_send_on_the_wire_alone_or_in_a_batch()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var steps = new System.Collections.Concurrent.ConcurrentQueue<OperationStep>();
        await using var clients = family.Connect(services.Settings, new ClientOptions { Observer = steps.Enqueue });
        await using var sender = clients.CreateMessageSender("queue");

        await sender.SendAsync(Message("alone"), Token);
        await sender.SendBatchAsync([Message("one of one")], Token);
        await sender.SendBatchAsync([Message("one of two"), Message("two of two")], Token);

        Assert.Equal(Enumerable.Repeat((OperationMoment.OnTheWire, "queue"), 3), steps.Select(static step => (step.Moment, step.Entity)));
    }

    [Fact(Timeout = Limit)]
    public async Task A_batch_has_at_most_the_bytes_that_the_service_advertises()
    {
        await using var services = await EmulatedServices.StartAsync(Token, limits: new EmulatorLimits { BatchBytes = 10_000 });
        await using var clients = family.Connect(services.Settings, new ClientOptions());
        await using var sender = clients.CreateMessageSender("queue");

        var refused = await Assert.ThrowsAsync<MessagingException>(() => sender.SendBatchAsync(Large(12, 1_000), Token).AsTask());
        Assert.Equal(FailureKind.TooLarge, refused.Kind);
        Assert.Contains("exceeds the limit of 10,000 bytes", refused.Message, StringComparison.Ordinal);
        await sender.SendBatchAsync(Large(8, 1_000), Token);

        // A single message is not a batch.
        await sender.SendAsync(Large(1, 20_000)[0], Token);
    }

    [Fact(Timeout = Limit)]
    public async Task A_batch_may_be_as_large_as_the_service_advertises()
    {
        const int Most = 4 * 1024 * 1024;
        await using var services = await EmulatedServices.StartAsync(Token, limits: new EmulatorLimits { BatchBytes = Most, QueueMessageBytes = Most });
        await using var clients = family.Connect(services.Settings, new ClientOptions());
        await using var sender = clients.CreateMessageSender("queue");

        await sender.SendBatchAsync(Large(30, 100_000), Token);
        var refused = await Assert.ThrowsAsync<MessagingException>(() => sender.SendBatchAsync(Large(50, 100_000), Token).AsTask());
        Assert.Equal(FailureKind.TooLarge, refused.Kind);
    }

    [Theory(Timeout = Limit)]
    [InlineData(EventBodyKind.Data, 0)]
    [InlineData(EventBodyKind.Data, 1)]
    [InlineData(EventBodyKind.Data, 255)]
    [InlineData(EventBodyKind.Data, 256)]
    [InlineData(EventBodyKind.Data, 65_536)]
    [InlineData(EventBodyKind.Data, 262_000)]
    [InlineData(EventBodyKind.Value, 0)]
    [InlineData(EventBodyKind.Sequence, 0)]
    public async Task Bodies_of_every_kind_arrive_as_the_very_bytes(EventBodyKind kind, int size)
    {
        var body = kind switch
        {
            EventBodyKind.Value => Encode(new AmqpMap { { "k", "value" } }),
            EventBodyKind.Sequence => new AmqpMessage { Body = MessageBody.OfSequence([1, "a"], [true]) }
                .Encode()
                .ToArray(),
            _ => [.. Enumerable.Range(0, size).Select(static index => (byte)index)],
        };
        var received = await RoundTripAsync(
            new OutgoingMessage
            {
                MessageId = "id",
                Body = body,
                BodyKind = kind,
            }
        );
        Assert.Equal(kind, received.BodyKind);
        Assert.Equal(body, received.Body.ToArray());
    }

    [Fact(Timeout = Limit)]
    public async Task A_batch_is_limited_by_its_bytes_alone()
    {
        const int Count = 4_600;
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.Connect(family).CreateMessageSender("queue");
        await sender.SendBatchAsync(
            [.. Enumerable.Range(0, Count).Select(static index => new OutgoingMessage { MessageId = $"{index}", Body = Array.Empty<byte>() })],
            Token
        );
        await using var receiver = services.Connect(family).CreateMessageReceiver("queue", new MessageReceiverOptions());
        Assert.Equal("0", Assert.Single(await receiver.ReceiveAsync(1, TimeSpan.FromSeconds(10), Token)).MessageId);
    }

    [Fact(Timeout = Limit)]
    public async Task A_batch_arrives_as_its_messages_in_order()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendBatchAsync([], Token);
        await sender.SendBatchAsync([Message("m0")], Token);
        await sender.SendBatchAsync([.. Enumerable.Range(1, 20).Select(static index => Message($"m{index}"))], Token);
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { ReceiveAndDelete = true });
        List<string> ids = [];
        while (ids.Count < 21)
        {
            ids.AddRange((await receiver.ReceiveAsync(50, Wait, Token)).Select(static message => message.MessageId));
        }

        Assert.Equal(Enumerable.Range(0, 21).Select(static index => $"m{index}"), ids);
    }

    [Theory(Timeout = Limit)]
    [InlineData(0)]
    [InlineData(50)]
    public async Task Concurrent_sends_and_concurrent_settlements_leave_an_empty_queue(int prefetch)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await Task.WhenAll(Enumerable.Range(0, 500).Select(index => sender.SendAsync(Message($"m{index}"), Token).AsTask()));
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = prefetch });
        var seen = new HashSet<string>(StringComparer.Ordinal);
        while (seen.Count < 500)
        {
            var messages = await receiver.ReceiveAsync(64, Wait, Token);
            Assert.InRange(messages.Count, 1, 64);
            Assert.All(messages, message => Assert.True(seen.Add(message.MessageId)));
            await Task.WhenAll(messages.Select(message => receiver.CompleteAsync(message, Token)));
        }

        Assert.Empty(await receiver.ReceiveAsync(1, TimeSpan.FromMilliseconds(50), Token));
    }

    [Fact(Timeout = Limit)]
    public async Task An_abandoned_message_comes_again_with_a_higher_count_and_cannot_be_settled_twice()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("m"), Token);
        var first = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        await receiver.AbandonAsync(first, Token);
        var second = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        Assert.Equal((0, 1), (first.DeliveryCount, second.DeliveryCount));
        Assert.Equal(first.SequenceNumber, second.SequenceNumber);
        Assert.NotEqual(first.LockToken, second.LockToken);
        await receiver.CompleteAsync(second, Token);
    }

    [Fact(Timeout = Limit)]
    public async Task A_lock_that_ended_is_lost()
    {
        await using var services = await EmulatedServices.StartAsync(Token, lockDuration: TimeSpan.FromMilliseconds(200));
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("m"), Token);
        var first = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));

        // The same message comes again only when its lock has ended.
        Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        var lost = await Assert.ThrowsAsync<MessagingException>(() => receiver.CompleteAsync(first, Token));
        Assert.Equal(FailureKind.LockLost, lost.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task A_deferred_message_comes_only_when_it_is_asked_for_with_the_changes_that_were_made()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("m"), Token);
        var first = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        await receiver.DeferAsync(first, new Dictionary<string, object?> { ["step"] = "two" }, Token);
        Assert.Empty(await receiver.ReceiveAsync(1, TimeSpan.FromMilliseconds(50), Token));

        var deferred = Assert.Single(await receiver.ReceiveDeferredAsync([first.SequenceNumber], Token));
        Assert.Equal((first.SequenceNumber, "m", 1), (deferred.SequenceNumber, deferred.MessageId, deferred.DeliveryCount));
        Assert.Equal("two", EncodedProperties.Decode(deferred.EncodedProperties)["step"]);
        Assert.NotEqual(first.LockToken, deferred.LockToken);
        await receiver.CompleteAsync(deferred, Token);
        var gone = await Assert.ThrowsAsync<MessagingException>(() => receiver.ReceiveDeferredAsync([first.SequenceNumber], Token));
        Assert.Equal(FailureKind.NotFound, gone.Kind);
        Assert.DoesNotContain("'queue' not found", gone.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_dead_letter_has_its_reason_and_cannot_die_again()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendBatchAsync([Message("m0"), Message("m1")], Token);
        for (var received = 0; received < 2; received++)
        {
            var message = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
            Assert.Null(message.DeadLetterReason);
            await receiver.DeadLetterAsync(message, "Unreadable", received == 0 ? "not JSON" : null, Token);
        }

        await using var graveyard = clients.CreateMessageReceiver("queue/$DeadLetterQueue", new MessageReceiverOptions());
        var dead = Assert.Single(await graveyard.ReceiveAsync(1, Wait, Token));
        Assert.Equal(("m0", "Unreadable", "not JSON"), (dead.MessageId, dead.DeadLetterReason, dead.DeadLetterErrorDescription));
        await graveyard.CompleteAsync(dead, Token);
        var undescribed = Assert.Single(await graveyard.ReceiveAsync(1, Wait, Token));
        Assert.Equal(("Unreadable", null), (undescribed.DeadLetterReason, undescribed.DeadLetterErrorDescription));
        await Assert.ThrowsAsync<MessagingException>(() => graveyard.DeadLetterAsync(undescribed, "again", null, Token));
        await Assert.ThrowsAsync<MessagingException>(() => receiver.DeadLetterAsync(undescribed, new string('x', 4_097), null, Token));
    }

    [Fact(Timeout = Limit)]
    public async Task An_abandoned_message_keeps_the_changes_that_were_made()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("m"), Token);
        var first = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        await receiver.AbandonAsync(first, new Dictionary<string, object?> { ["tries"] = 1, ["by"] = "us" }, Token);
        var second = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        var properties = EncodedProperties.Decode(second.EncodedProperties);
        Assert.Equal((1, "us"), (properties["tries"], properties["by"]));
        await receiver.CompleteAsync(second, Token);
    }

    [Fact(Timeout = Limit)]
    public async Task A_renewed_lock_ends_later_and_one_that_has_gone_cannot_be_renewed()
    {
        await using var services = await EmulatedServices.StartAsync(Token, lockDuration: TimeSpan.FromSeconds(20));
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("m"), Token);
        var message = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
        var until = message.LockedUntil;
        while (until == message.LockedUntil)
        {
            // A lock's end travels in milliseconds: renewed in the one in which it was received, it ends no later.
            until = await receiver.RenewLockAsync(message, Token);
        }

        Assert.InRange(until, message.LockedUntil, message.LockedUntil + TimeSpan.FromSeconds(20));
        await receiver.CompleteAsync(message, Token);
        var lost = await Assert.ThrowsAsync<MessagingException>(() => receiver.RenewLockAsync(message, Token));
        Assert.Equal(FailureKind.LockLost, lost.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task A_peeked_message_cannot_be_settled_or_renewed()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("m"), Token);
        var seen = Assert.Single(await receiver.PeekAsync(0, 10, Token));
        foreach (
            var settle in new Func<Task>[]
            {
                () => receiver.CompleteAsync(seen, Token),
                () => receiver.DeferAsync(seen, null, Token),
                () => receiver.RenewLockAsync(seen, Token),
            }
        )
        {
            Assert.Equal(FailureKind.LockLost, (await Assert.ThrowsAsync<MessagingException>(settle)).Kind);
        }

        Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
    }

    private static OutgoingMessage[] Large(int count, int size) =>
        [.. Enumerable.Range(0, count).Select(index => new OutgoingMessage { MessageId = $"m{index}", Body = new byte[size] })];

    private protected static OutgoingMessage Message(string id) => new() { MessageId = id, Body = new byte[] { 1, 2, 3 } };

    private protected static byte[] Encode(AmqpMap map)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(buffer);
        writer.WriteMap(map);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    private protected async Task<ReceivedMessage> RoundTripAsync(OutgoingMessage message)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(family);
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendAsync(message, Token);
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        var received = Assert.Single(await receiver.ReceiveAsync(10, Wait, Token));
        await receiver.CompleteAsync(received, Token);
        return received;
    }
}
