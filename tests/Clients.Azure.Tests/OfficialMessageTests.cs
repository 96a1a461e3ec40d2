using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

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

    [Theory(Timeout = Limit)]
    [InlineData("null")]
    [InlineData("decimal")]
    [InlineData("time before 1970")]
    [InlineData("address that is not canonical")]
    [InlineData("decimal32")]
    [InlineData("list with null")]
    [InlineData("list with a described value")]
    public async Task A_body_that_the_package_would_send_as_another_one_is_refused_for_good(string value)
    {
        object? body = value switch
        {
            "null" => null,
            "decimal" => new AmqpDecimal(Convert.FromHexString("303E000000000000000000000000000F")),
            "time before 1970" => new AmqpTimestamp(-5),
            "address that is not canonical" => new AmqpDescribed(new AmqpSymbol("com.microsoft:uri"), "http://example.org"),
            "decimal32" => new AmqpDecimal(new byte[4]),
            "list with null" => new AmqpList { 1, null },
            _ => new AmqpList { new AmqpDescribed(new AmqpSymbol("com.microsoft:timespan"), 1L) },
        };
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.Connect(OfficialClients.Family).CreateMessageSender("queue");

        var refused = await Assert.ThrowsAsync<MessagingException>(() =>
            sender.SendAsync(Message("id") with { BodyKind = EventBodyKind.Value, Body = Encode(body) }, Token).AsTask()
        );

        Assert.Equal(FailureKind.Permanent, refused.Kind);
        Assert.StartsWith("a body of kind Value is ", refused.Message, StringComparison.Ordinal);
        await using var receiver = services.CreateClients().CreateMessageReceiver("queue", new MessageReceiverOptions());
        Assert.Empty(await receiver.PeekAsync(0, 10, Token));
    }

    [Fact(Timeout = Limit)]
    public async Task A_body_of_null_is_received_as_no_data()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.CreateClients().CreateMessageSender("queue");
        await using var receiver = services.Connect(OfficialClients.Family).CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("id") with { BodyKind = EventBodyKind.Value, Body = Encode(null) }, Token);

        var received = Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));

        Assert.Equal((EventBodyKind.Data, 0), (received.BodyKind, received.Body.Length));
    }

    [Theory(Timeout = Limit)]
    [InlineData("list", "message 1: application property 'odd' is of type list, which the packages do not carry")]
    [InlineData("array", "message 1: application property 'odd' is of type array, which the packages do not carry")]
    // The package itself cannot turn such a message into its own, and gives no name.
    [InlineData("map", "queue or topic 'queue': Serialization operation failed due to unsupported type Microsoft.Azure.Amqp.Encoding.AmqpMap.")]
    public async Task A_message_that_would_lose_a_property_is_not_received_but_refused_for_good(string type, string expected)
    {
        object value = type switch
        {
            "list" => new AmqpList { 1 },
            "array" => AmqpArray.Of([1L]),
            _ => new AmqpMap { { "k", 1 } },
        };

        var refused = await Assert.ThrowsAsync<MessagingException>(() => ReceiveAsync(value));

        Assert.Equal((FailureKind.Permanent, expected), (refused.Kind, refused.Message));
    }

    [Fact(Timeout = Limit)]
    public async Task A_described_value_of_an_unknown_type_is_missing_from_the_message_that_is_received()
    {
        var received = await ReceiveAsync(new AmqpDescribed(new AmqpSymbol("own"), 1L));

        Assert.True(received.EncodedProperties.IsEmpty);
    }

    // Sent by the built-in clients, received by the package.
    private static async Task<ReceivedMessage> ReceiveAsync(object property)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.CreateClients().CreateMessageSender("queue");
        await using var receiver = services.Connect(OfficialClients.Family).CreateMessageReceiver("queue", new MessageReceiverOptions());
        await sender.SendAsync(Message("id") with { EncodedProperties = Encode(new AmqpMap { { "odd", property } }) }, Token);
        return Assert.Single(await receiver.ReceiveAsync(1, Wait, Token));
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
        Assert.Equal((FailureKind.Permanent, "application property 'list' is of type list, which the packages do not carry"), (refused.Kind, refused.Message));
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

    private static byte[] Encode(object? value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(buffer);
        writer.WriteValue(value);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    [Fact(Timeout = Limit)]
    public async Task A_receiver_closes_immediately_while_messages_are_still_requested()
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
