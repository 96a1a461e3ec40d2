using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class BuiltInMessageTests() : MessageContract(ClientFamily.BuiltIn)
{
    [Fact(Timeout = Limit)]
    public async Task Properties_of_every_type_arrive_as_the_very_bytes()
    {
        var properties = new AmqpMap()
        {
            { "null", null },
            { "bool", true },
            { "ubyte", (byte)1 },
            { "byte", (sbyte)-1 },
            { "ushort", (ushort)1 },
            { "short", (short)-1 },
            { "uint", 1u },
            { "int", -1 },
            { "ulong", 1ul },
            { "long", -1L },
            { "float", 1.5f },
            { "double", 1.5 },
            { "decimal32", new AmqpDecimal(new byte[4]) },
            { "decimal64", new AmqpDecimal(new byte[8]) },
            { "decimal128", new AmqpDecimal(new byte[16]) },
            { "char", new AmqpChar('x') },
            { "time", new AmqpTimestamp(1) },
            { "uuid", Guid.Empty },
            { "binary", new ReadOnlyMemory<byte>([1, 2]) },
            { "string", "s" },
            { "symbol", new AmqpSymbol("s") },
            {
                "list",
                new AmqpList { 1, "a" }
            },
            {
                "map",
                new AmqpMap { { "k", 1 } }
            },
            { "array", AmqpArray.Of([1L, 2L]) },
            { "described", new AmqpDescribed(new AmqpSymbol("d"), 1L) },
        };
        var encoded = Encode(properties);
        var received = await RoundTripAsync(
            new OutgoingMessage
            {
                MessageId = "id",
                Body = new byte[] { 1 },
                ContentType = "application/json",
                EncodedProperties = encoded,
            }
        );
        Assert.Equal(encoded, received.EncodedProperties.ToArray());
        Assert.Equal(("id", "application/json", 0), (received.MessageId, received.ContentType, received.DeliveryCount));
        Assert.NotEqual(Guid.Empty, received.LockToken);
    }

    [Fact(Timeout = Limit)]
    public async Task A_receiver_that_closes_gives_back_what_it_had_requested()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(ClientFamily.BuiltIn);
        await using var sender = clients.CreateMessageSender("queue");
        var greedy = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = 100 });
        await sender.SendBatchAsync([.. Enumerable.Range(0, 30).Select(static index => Message($"m{index}"))], Token);
        var one = (await greedy.ReceiveAsync(1, Wait, Token))[0];
        await greedy.CompleteAsync(one, Token);
        await greedy.DisposeAsync();
        await greedy.DisposeAsync();
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        var seen = new HashSet<string>(StringComparer.Ordinal);
        while (seen.Count < 29)
        {
            foreach (var message in await receiver.ReceiveAsync(10, Wait, Token))
            {
                Assert.True(seen.Add(message.MessageId));
                Assert.Equal(0, message.DeliveryCount);
                await receiver.CompleteAsync(message, Token);
            }
        }
    }

    [Theory(Timeout = Limit)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(10)]
    public async Task A_receiver_that_closes_without_credit_gives_back_what_it_had_requested(int taken)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(ClientFamily.BuiltIn);
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendBatchAsync([.. Enumerable.Range(0, 20).Select(static index => Message($"m{index}"))], Token);
        var greedy = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = 15 });
        for (var count = 0; count < taken; count++)
        {
            await greedy.CompleteAsync(Assert.Single(await greedy.ReceiveAsync(1, Wait, Token)), Token);
        }

        await greedy.DisposeAsync();
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        List<ReceivedMessage> free = [];
        while (free.Count < 20 - taken)
        {
            free.AddRange(await receiver.ReceiveAsync(20, Wait, Token));
        }

        Assert.All(free, static message => Assert.Equal(0, message.DeliveryCount));
        Assert.Equal(20 - taken, free.Select(static message => message.MessageId).Distinct(StringComparer.Ordinal).Count());
    }

    [Fact(Timeout = Limit)]
    public async Task A_requested_message_waits_with_a_lock_that_lasts()
    {
        var clock = new VirtualClock();
        await using var services = await EmulatedServices.StartAsync(Token, lockDuration: TimeSpan.FromSeconds(30), timeProvider: clock);
        var clients = services.CreateClients(timeProvider: clock);
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendBatchAsync([.. Enumerable.Range(0, 20).Select(static index => Message($"m{index}"))], Token);
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = 20 });
        for (var count = 0; count < 20; count++)
        {
            var message = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
            Assert.Equal(0, message.DeliveryCount);
            Assert.True(
                message.LockedUntil - clock.GetUtcNow() >= TimeSpan.FromSeconds(10),
                $"message {count}: {message.LockedUntil - clock.GetUtcNow()} left"
            );
            await receiver.CompleteAsync(message, Token);
            clock.Advance(TimeSpan.FromSeconds(5));
        }
    }

    [Fact(Timeout = Limit)]
    public async Task Every_outcome_reaches_a_message_whose_connection_was_lost()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        await using var sender = services.CreateClients().CreateMessageSender("queue");
        await sender.SendBatchAsync([.. Enumerable.Range(0, 5).Select(static index => Message($"m{index}"))], Token);
        var cut = services.CreateClients(services.Through(("SERVICEBUS_CONNECTION_STRING", proxy)));
        await using var receiver = cut.CreateMessageReceiver("queue", new MessageReceiverOptions());
        List<ReceivedMessage> messages = [];
        while (messages.Count < 5)
        {
            messages.AddRange(await receiver.ReceiveAsync(5 - messages.Count, Wait, Token));
        }

        proxy.Cut();
        var changes = new Dictionary<string, object?> { ["step"] = "two" };
        await receiver.CompleteAsync(messages[0], Token);
        await receiver.DeferAsync(messages[1], changes, Token);
        await receiver.DeadLetterAsync(messages[2], "Unreadable", "not JSON", Token);
        Assert.True(await receiver.RenewLockAsync(messages[3], Token) > messages[3].LockedUntil);
        await receiver.AbandonAsync(messages[3], changes, Token);
        await receiver.CompleteAsync(messages[4], Token);
        Assert.Equal(FailureKind.LockLost, (await Assert.ThrowsAsync<MessagingException>(() => receiver.CompleteAsync(messages[4], Token))).Kind);

        var abandoned = Assert.Single(await receiver.ReceiveAsync(5, Wait, Token));
        Assert.Equal(("m3", 1, "two"), (abandoned.MessageId, abandoned.DeliveryCount, EncodedProperties.Decode(abandoned.EncodedProperties)["step"]));
        var deferred = Assert.Single(await receiver.ReceiveDeferredAsync([messages[1].SequenceNumber], Token));
        Assert.Equal(("m1", "two"), (deferred.MessageId, EncodedProperties.Decode(deferred.EncodedProperties)["step"]));
        await using var graveyard = cut.CreateMessageReceiver("queue/$DeadLetterQueue", new MessageReceiverOptions());
        var dead = Assert.Single(await graveyard.ReceiveAsync(5, Wait, Token));
        Assert.Equal(("m2", "Unreadable", "not JSON"), (dead.MessageId, dead.DeadLetterReason, dead.DeadLetterErrorDescription));
    }

    [Fact(Timeout = Limit)]
    public async Task A_wait_that_is_called_off_asks_for_nothing_any_more()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(ClientFamily.BuiltIn);
        await using var idle = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        using var enough = new CancellationTokenSource();
        var waiting = idle.ReceiveAsync(10, Wait, enough.Token);
        await enough.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        // What comes now is for others.
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendBatchAsync([.. Enumerable.Range(0, 10).Select(static index => Message($"m{index}"))], Token);
        await using var other = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        var seen = 0;
        while (seen < 10)
        {
            seen += (await other.ReceiveAsync(10, Wait, Token)).Count;
        }
    }

    [Fact(Timeout = Limit)]
    public async Task A_processor_forwards_each_message_though_its_connection_is_cut()
    {
        await using var services = await EmulatedServices.StartAsync(Token, lockDuration: TimeSpan.FromSeconds(5));
        await using var proxy = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        var direct = services.CreateClients();
        await using var sender = direct.CreateMessageSender("queue");
        await sender.SendBatchAsync([.. Enumerable.Range(0, 300).Select(static index => Message($"m{index}"))], Token);
        var handled = new ConcurrentDictionary<string, int>(StringComparer.Ordinal);
        var cut = services.CreateClients(services.Through(("SERVICEBUS_CONNECTION_STRING", proxy)));
        await using var receiver = cut.CreateMessageReceiver("queue", new MessageReceiverOptions());
        using var stop = new CancellationTokenSource();
        var processor = new MessageProcessor(
            receiver,
            (message, _) =>
            {
                handled.AddOrUpdate(message.MessageId, 1, static (_, before) => before + 1);
                if (handled.Count is 100 or 200)
                {
                    proxy.Cut();
                }

                return ValueTask.FromResult(MessageOutcome.Complete);
            },
            new MessageProcessorOptions { MaximumConcurrentCalls = 16, Retry = EmulatedServices.ShortRetries }
        );
        var running = processor.RunAsync(stop.Token);
        while (handled.Count < 300 || processor.Counts.Handling > 0)
        {
            await Task.WhenAny(running, Task.Run(static () => { }, Token));
            Assert.False(running.IsCompleted, "the processor has ended");
        }

        await stop.CancelAsync();
        await running;
        Assert.True(proxy.Accepted > 1);
        Assert.InRange(processor.Counts.MostHandling, 1, 16);
        Assert.Empty(await receiver.PeekAsync(0, 10, Token));
    }
}
