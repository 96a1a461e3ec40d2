using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class OnDemandTests : RunningEmulator
{
    [Fact]
    public async Task A_hub_is_created_when_it_is_first_addressed_with_the_partitions_that_were_asked_for()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        Assert.IsType<Accepted>(await SendAsync(peer, "orders"));
        var hub = Assert.Single(Host.Hubs.All);
        Assert.Equal(("orders", 7, 1L), (hub.Name, hub.Partitions.Count, hub.Partitions.Sum(static partition => partition.State.Count)));
    }

    [Fact]
    public async Task A_queue_is_created_when_it_is_first_addressed_with_the_lock_that_was_asked_for()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        Assert.IsType<Accepted>(await SendAsync(peer, "work"));
        var queue = Assert.Single(Host.Queues.AllQueues);
        Assert.Equal(("work", TimeSpan.FromSeconds(5), 1), (queue.Name, queue.Settings.LockDuration, queue.Count));
    }

    [Fact]
    public async Task An_invalid_name_or_a_name_without_a_token_is_not_created()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await peer.PutTokenAsync("a-");
        var notFound = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("a-"));
        Assert.Equal(ErrorCondition.NotFound, notFound.Error.Condition.Value);
        var refused = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("secret"));
        Assert.Equal(ErrorCondition.UnauthorizedAccess, refused.Error.Condition.Value);
        Assert.Empty(Host.Queues.AllQueues);
    }

    private protected override EmulatorOptions Options() =>
        new()
        {
            Entities = new EntitySet(),
            HubOnDemand = new HubSettings("like") { Partitions = 7 },
            QueueOnDemand = new QueueSettings("like") { LockDuration = TimeSpan.FromSeconds(5) },
        };

    private static async Task<DeliveryState> SendAsync(Peer peer, string entity)
    {
        await peer.PutTokenAsync(entity);
        var sender = await peer.SenderAsync(entity);
        return await sender.SendAsync(new AmqpMessage { Body = MessageBody.OfData(new byte[1]) }.Encode(), 0, Cancellation);
    }
}
