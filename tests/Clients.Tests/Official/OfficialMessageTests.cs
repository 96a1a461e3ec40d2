using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Emulated;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Official;

public sealed class OfficialMessageTests() : MessageContract(OfficialClients.Family)
{
    [Fact(Timeout = Limit)]
    public async Task Properties_of_every_type_that_the_package_has_arrive_as_they_were()
    {
        var encoded = Encode(
            new AmqpMap
            {
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
                { "char", new AmqpChar('x') },
                { "time", new AmqpTimestamp(1) },
                { "decimal", Assert.IsType<AmqpDecimal>(new AmqpReader(PlainProperties.Encode([new("d", 12.340m)])).ReadMap().Find("d")) },
                { "uuid", Guid.Parse("00112233-4455-6677-8899-aabbccddeeff") },
                { "string", "s" },
                { "null", null },
                { "span", new AmqpDescribed(new AmqpSymbol("com.microsoft:timespan"), 1L) },
                { "offset", new AmqpDescribed(new AmqpSymbol("com.microsoft:datetime-offset"), 638_000_000_000_000_000L) },
                { "uri", new AmqpDescribed(new AmqpSymbol("com.microsoft:uri"), "http://example.org/a") },
            }
        );

        var received = await RoundTripAsync(
            new OutgoingMessage
            {
                MessageId = "id",
                Body = new byte[] { 1 },
                ContentType = "application/json",
                EncodedProperties = encoded,
            }
        );

        Assert.Equal(
            PlainProperties.Decode(encoded).OrderBy(static one => one.Key),
            PlainProperties.Decode(received.EncodedProperties).OrderBy(static one => one.Key)
        );
        Assert.Equal(("id", "application/json", 0), (received.MessageId, received.ContentType, received.DeliveryCount));
        Assert.NotEqual(Guid.Empty, received.LockToken);
    }

    [Fact(Timeout = Limit)]
    public async Task A_property_that_the_package_would_lose_is_refused_for_good()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.Connect(OfficialClients.Family).CreateMessageSender("queue");
        var refused = await Assert.ThrowsAsync<MessagingException>(() =>
            sender
                .SendAsync(
                    new OutgoingMessage
                    {
                        MessageId = "id",
                        Body = new byte[] { 1 },
                        EncodedProperties = Encode(
                            new AmqpMap
                            {
                                {
                                    "list",
                                    new AmqpList { 1 }
                                },
                            }
                        ),
                    },
                    Token
                )
                .AsTask()
        );
        Assert.Equal(FailureKind.Permanent, refused.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task Peeking_counts_nothing_and_what_it_gives_cannot_be_settled()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(OfficialClients.Family);
        await using var sender = clients.CreateMessageSender("queue");
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendBatchAsync([Message("m0"), Message("m1")], Token);
        var peeked = await receiver.PeekAsync(1, 10, Token);
        Assert.Equal(["m0", "m1"], peeked.Select(static message => message.MessageId));
        Assert.All(peeked, static message => Assert.Equal(0, message.DeliveryCount));
        var refused = await Assert.ThrowsAsync<MessagingException>(() => receiver.CompleteAsync(peeked[0], Token));
        Assert.Equal(FailureKind.LockLost, refused.Kind);
        Assert.Equal(0, (await receiver.ReceiveAsync(1, Wait, Token))[0].DeliveryCount);
    }

    [Fact(Timeout = Limit)]
    public async Task Closing_ends_at_once_whatever_is_still_requested()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(OfficialClients.Family);
        await using var sender = clients.CreateMessageSender("queue");
        var greedy = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = 100 });
        await sender.SendBatchAsync([.. Enumerable.Range(0, 30).Select(static index => Message($"m{index}"))], Token);
        await greedy.CompleteAsync((await greedy.ReceiveAsync(1, Wait, Token))[0], Token);
        await greedy.DisposeAsync();
        await greedy.DisposeAsync();
    }
}
