using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

/// <summary>Links without traffic are detached, as the service does it after ten minutes.</summary>
public sealed class IdleLinkFaultTests : FaultyEmulator
{
    private const string Reader = "hub/ConsumerGroups/$Default/Partitions/0";

    private readonly VirtualClock _clock = new(TimeProvider.System.GetUtcNow());

    [Theory]
    [InlineData("queue", true, "AmqpMessagePublisher")]
    [InlineData("queue", false, "AmqpMessageConsumer")]
    [InlineData("hub", true, "AmqpMessagePublisher")]
    [InlineData(Reader, false, "AmqpMessageConsumer")]
    public async Task A_link_that_was_there_before_is_detached_in_the_services_words(string address, bool sends, string part)
    {
        await using var peer = await ConnectAsync(address.StartsWith("hub", StringComparison.Ordinal) ? EventHubs : ServiceBus, address);
        AmqpLink link = sends ? await peer.SenderAsync(address) : await peer.ReceiverAsync(address, 10);
        Arm("""{"name":"F8-idle"}""");
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.True(link.IsOpen);
        _clock.Advance(TimeSpan.FromSeconds(1));
        var error = await link.Completion.WaitAsync(Cancellation);
        Assert.Equal(ErrorCondition.DetachForced, error!.Condition.Value);
        Assert.Contains($"is force detached. Code: {(sends ? "publisher" : "consumer")}", error.Description, StringComparison.Ordinal);
        Assert.Contains($"{part}.IdleTimerExpired: Idle timeout: 00:00:10.", error.Description, StringComparison.Ordinal);
        Assert.Empty(AfterFault("idleLink", "detach"));

        // The next one is served, and idle in its turn.
        link = sends ? await peer.SenderAsync(address) : await peer.ReceiverAsync(address, 10);
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(ErrorCondition.DetachForced, (await link.Completion.WaitAsync(Cancellation))!.Condition.Value);
    }

    [Fact]
    public async Task A_transfer_begins_the_time_again_at_both_ends_and_so_does_an_outcome()
    {
        Arm("""{"name":"F8-idle"}""");
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        var receiver = await peer.ReceiverAsync("queue", 10, SenderSettleMode.Unsettled, ReceiverSettleMode.Second);
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a"), 0, Cancellation));
        var delivery = await receiver.ReceiveAsync(Cancellation);
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.IsType<Accepted>(await receiver.SettleAsync(delivery, Accepted.Instance, Cancellation));
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(ErrorCondition.DetachForced, (await sender.Completion.WaitAsync(Cancellation))!.Condition.Value);
        Assert.True(receiver.IsOpen);
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(ErrorCondition.DetachForced, (await receiver.Completion.WaitAsync(Cancellation))!.Condition.Value);
    }

    [Fact]
    public async Task An_idle_link_fault_closes_only_links_of_its_entity_and_only_up_to_its_limit()
    {
        Arm("""{"name":"own","at":"idleLink","do":"detach","ms":5000,"entity":"queue","limit":1}""");
        await using var hubs = await ConnectAsync(EventHubs, "hub");
        await using var queues = await ConnectAsync(ServiceBus, "queue");
        var other = await hubs.SenderAsync("hub");
        var first = await queues.SenderAsync("queue");
        _clock.Advance(TimeSpan.FromSeconds(5));
        await first.Completion.WaitAsync(Cancellation);
        var second = await queues.SenderAsync("queue");
        _clock.Advance(TimeSpan.FromSeconds(60));
        Assert.IsType<Accepted>(await second.SendAsync(Encoded.Message("a"), 0, Cancellation));
        Assert.IsType<Accepted>(await other.SendAsync(Encoded.Message("a"), 0, Cancellation));
    }

    [Fact]
    public async Task The_reason_is_one_of_other_points_too()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"own","at":"messageSend","do":"detach","reason":"idle","nth":2}""");
        Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a"), 0, Cancellation));
        await Assert.ThrowsAsync<AmqpException>(() => sender.SendAsync(Encoded.Message("b"), 0, Cancellation).AsTask());
        Assert.Equal(ErrorCondition.DetachForced, (await sender.Completion.WaitAsync(Cancellation))!.Condition.Value);
    }

    private protected override EmulatorOptions Options() => base.Options() with { TimeProvider = _clock };
}
