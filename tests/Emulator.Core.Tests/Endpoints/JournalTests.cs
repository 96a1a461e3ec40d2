using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class JournalTests : RunningEmulator
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"emulator-journal-{Guid.NewGuid():N}");

    [Fact]
    public async Task Events_and_messages_are_recorded_as_they_happen()
    {
        await using (var peer = await Peer.ConnectAsync(EventHubs))
        {
            await peer.PutTokenAsync("hub");
            var sender = await peer.SenderAsync("hub/Partitions/0");
            var properties = new AmqpMap { { "eht-index", 7L }, { "other", "x" } };
            Assert.IsType<Accepted>(
                await sender.SendAsync(
                    Encoded.Batch(null, Encoded.Message("a", properties: properties), Encoded.Message("b")),
                    AmqpNames.BatchFormat,
                    Cancellation
                )
            );
            var receiver = await peer.ReceiverAsync(
                "hub/ConsumerGroups/$Default/Partitions/0",
                5,
                properties: new AmqpMap { { new AmqpSymbol(AmqpNames.Epoch), 3L } }
            );
            await receiver.ReceiveAsync(Cancellation);
            await receiver.ReceiveAsync(Cancellation);
        }

        await using (var peer = await Peer.ConnectAsync(ServiceBus))
        {
            await peer.PutTokenAsync("queue");
            var sender = await peer.SenderAsync("queue");
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a", messageId: "hub-0-0"), 0, Cancellation));
        }

        await Host.DisposeAsync();
        var records = JournalFile.Open(_path).Records.ToList();
        Assert.Equal(Enumerable.Range(1, records.Count).Select(static tick => (long)tick), records.Select(static record => record.Tick));
        var appended = records.OfType<EventAppended>().ToList();
        Assert.Equal([0L, 1L], appended.Select(static record => record.Sequence));
        Assert.Equal(Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes("a"))), appended[0].Sha256);
        Assert.Equal(new Dictionary<string, string> { ["eht-index"] = "7" }, appended[0].Properties);
        Assert.Equal(2, records.OfType<EventDelivered>().Sum(static record => record.Count));
        Assert.All(records.OfType<EventDelivered>(), static record => Assert.Equal(3, record.OwnerLevel));
        Assert.Equal([WriteMoment.Begun, WriteMoment.Stored, WriteMoment.Answered], records.OfType<MessageWritten>().Select(static record => record.Moment));
        Assert.All(records.OfType<MessageWritten>(), static record => Assert.Equal("hub-0-0", record.MessageId));
    }

    [Fact]
    public async Task A_connection_that_ends_without_a_close_is_recorded_after_its_messages()
    {
        foreach (var isCut in (bool[])[false, true])
        {
            await using var peer = await Peer.ConnectAsync(ServiceBus);
            await peer.PutTokenAsync("queue");
            var sender = await peer.SenderAsync("queue");
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a", messageId: "hub-0-0"), 0, Cancellation));
            if (isCut)
            {
                peer.Connection.Abort(null);
            }
        }

        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (JournalFile.Open(_path).Records.LastOrDefault() is not ConnectionCut)
        {
            await look.WaitForNextTickAsync(Cancellation);
        }

        await Host.DisposeAsync();
        var records = JournalFile.Open(_path).Records.ToList();
        var cut = Assert.IsType<ConnectionCut>(records[^1]);
        Assert.Equal(
            [("1", 3), (cut.Connection, 3)],
            records.OfType<MessageWritten>().CountBy(static record => record.Connection!).Select(static one => (one.Key, one.Value))
        );
    }

    private protected override EmulatorOptions Options() => new() { JournalPath = _path, JournalProperties = ["eht-index"] };
}
