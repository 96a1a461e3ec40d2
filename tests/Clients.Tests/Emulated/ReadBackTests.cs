using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

/// <summary>What a namespace holds can be looked at without changing it.</summary>
public sealed class ReadBackTests : EmulatedTests
{
    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(30);

    [Fact(Timeout = Limit)]
    public async Task Peeking_shows_every_message_page_by_page_and_takes_none()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await using var sender = clients.CreateMessageSender("queue");
        for (var number = 0; number < 25; number++)
        {
            await sender.SendAsync(
                new OutgoingMessage
                {
                    MessageId = $"id-{number}",
                    Body = new[] { (byte)number },
                    ContentType = "text/plain",
                },
                Token
            );
        }

        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        List<ReceivedMessage> seen = [];
        while (await receiver.PeekAsync(seen.Count == 0 ? 0 : seen[^1].SequenceNumber + 1, 10, Token) is { Count: > 0 } page)
        {
            Assert.InRange(page.Count, 1, 10);
            seen.AddRange(page);
        }

        Assert.Equal(Enumerable.Range(0, 25).Select(static number => $"id-{number}"), seen.Select(static message => message.MessageId));
        Assert.Equal(Enumerable.Range(0, 25), seen.Select(static message => (int)message.Body.Span[0]));
        Assert.Equal(seen.Select(static message => message.SequenceNumber).Order(), seen.Select(static message => message.SequenceNumber));
        Assert.All(seen, static message => Assert.Equal("text/plain", message.ContentType));
        Assert.Equal("id-0", Assert.Single(await receiver.ReceiveAsync(1, Wait, Token)).MessageId);
    }

    [Fact(Timeout = Limit)]
    public async Task Peeking_at_an_empty_queue_shows_nothing_and_at_a_missing_one_fails()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        Assert.Empty(await receiver.PeekAsync(0, 10, Token));
        await using var missing = clients.CreateMessageReceiver("noqueue", new MessageReceiverOptions());
        var failure = await Assert.ThrowsAsync<MessagingException>(() => missing.PeekAsync(0, 10, Token));
        Assert.Equal(FailureKind.NotFound, failure.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task A_partition_is_read_from_its_beginning_to_the_number_asked_for_and_stays_as_it_was()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await SendAsync(clients, "2", 700);
        for (var time = 0; time < 2; time++)
        {
            List<long> numbers = [];
            await foreach (var batch in clients.ReadPartitionAsync("2", -1, 699, Token))
            {
                Assert.Equal("2", batch.PartitionId);
                numbers.AddRange(batch.Events.Select(static one => one.SequenceNumber));
            }

            Assert.Equal(Enumerable.Range(0, 700).Select(static number => (long)number), numbers);
        }
    }

    [Theory(Timeout = Limit)]
    [InlineData(-1, 0)]
    [InlineData(0, 1)]
    [InlineData(698, 699)]
    public async Task A_partition_is_read_after_the_number_asked_for(long after, long first)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await SendAsync(clients, "2", 700);

        var read = await clients.ReadPartitionAsync("2", after, 699, Token).ToListAsync(Token);

        Assert.Equal((first, 699), (read[0].Events[0].SequenceNumber, read[^1].Events[^1].SequenceNumber));
        Assert.Equal(700 - first, read.Sum(static batch => batch.Events.Count));
    }

    [Fact]
    public void Properties_are_read_by_name_and_bytes_that_are_not_a_map_hold_none()
    {
        var encoded = Encode(new AmqpMap { { "eht-run", "r1" }, { new AmqpSymbol("eht-index"), 7L } });
        var properties = EncodedProperties.Decode(encoded);
        Assert.Equal("r1", properties["eht-run"]);
        Assert.Equal(7L, properties["eht-index"]);
        Assert.Empty(EncodedProperties.Decode(encoded.AsMemory(0, encoded.Length - 1)));
        Assert.Empty(EncodedProperties.Decode(new byte[] { 0x43 }));
        Assert.Empty(EncodedProperties.Decode(default));
    }

    private static byte[] Encode(AmqpMap map)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(buffer);
        writer.WriteMap(map);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}
