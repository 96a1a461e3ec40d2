using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class LatencyTests : RunningEmulator
{
    [Fact(Timeout = 60_000)]
    public async Task Every_message_pays_for_its_sending()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await peer.PutTokenAsync("queue");
        var sender = await peer.SenderAsync("queue");
        await Task.WhenAll(Enumerable.Range(0, 5).Select(index => sender.SendAsync(Encoded.Message($"{index}"), 0, Cancellation).AsTask()));

        Assert.Equal(5, await CountAsync(EmulatedOperation.MessageSend, 5));
    }

    [Fact(Timeout = 60_000)]
    public async Task A_reader_pays_once_for_each_grant_to_a_link_without_credit()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        await peer.PutTokenAsync("hub");
        var sender = await peer.SenderAsync("hub/Partitions/0");
        for (var i = 0; i < 20; i++)
        {
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message($"{i}"), 0, Cancellation));
        }

        var receiver = await peer.ReceiverAsync("hub/ConsumerGroups/$Default/Partitions/0", 0);
        for (var batch = 0; batch < 2; batch++)
        {
            receiver.AddCredit(10);
            for (var i = 0; i < 10; i++)
            {
                await receiver.ReceiveAsync(Cancellation);
            }
        }

        Assert.Equal(2, await CountAsync(EmulatedOperation.EventReceive, 2));
    }

    private protected override EmulatorOptions Options() =>
        new()
        {
            Profile = new LatencyProfile("short")
            {
                MessageSend = new() { SerialMilliseconds = 0.1, MeanMilliseconds = 0.5 },
                EventReceive = new() { MeanMilliseconds = 1 },
            },
        };

    // An operation is counted after its answer was passed to the socket.
    private async Task<long> CountAsync(EmulatedOperation operation, long awaited)
    {
        while (Observed(operation) < awaited)
        {
            Cancellation.ThrowIfCancellationRequested();
            await Task.Yield();
        }

        return Observed(operation);
    }

    private long Observed(EmulatedOperation operation) => Host.Observed.Single(row => row.Operation == operation).Count;
}
