using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.ServiceBus;
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
                await receiver.CompleteAsync(message, Token);
            }
        }
    }
}
