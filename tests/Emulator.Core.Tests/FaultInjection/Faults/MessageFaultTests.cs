using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

/// <summary>Faults of messages, as their senders and receivers see them and as the journal records them.</summary>
public sealed class MessageFaultTests : FaultyEmulator
{
    [Theory]
    [InlineData(
        "busy",
        "com.microsoft:server-busy",
        "The request was terminated because the entity 'queue' is being throttled. Error code : 50009. Please wait 2 seconds and try again."
    )]
    [InlineData("disabled", "com.microsoft:entity-disabled", "Messaging entity 'queue' is currently disabled.")]
    [InlineData("full", "amqp:resource-limit-exceeded", "The maximum entity size has been reached or exceeded for 'queue'.")]
    [InlineData("missing", "amqp:not-found", "The messaging entity 'queue' could not be found.")]
    public async Task A_refused_send_is_rejected_in_the_services_words_and_not_stored(string reason, string condition, string text)
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm($$"""{"name":"own","at":"messageSend","do":"refuse","reason":"{{reason}}","limit":1}""");
        var rejected = Assert.IsType<Rejected>(await SendAsync(sender, "m1"));
        Assert.Equal((condition, text), (rejected.Error!.Condition.Value, rejected.Error.Description));
        Assert.IsType<Accepted>(await SendAsync(sender, "m2"));
        Assert.Equal(1, Host.Queue.Count);
        Assert.Equal(
            "m2",
            Assert.Single(AfterFault("messageSend", "refuse").OfType<MessageWritten>(), static record => record.Moment == WriteMoment.Stored).MessageId
        );
    }

    [Fact]
    public async Task A_lost_answer_leaves_the_message_stored_and_its_sender_without_a_word()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"F11","every":1}""");
        await Assert.ThrowsAsync<AmqpException>(() => SendAsync(sender, "m1"));
        await peer.Connection.Completion;
        Assert.Equal(1, Host.Queue.Count);
        var moments = AfterFault("messageSend", "loseAnswer").OfType<MessageWritten>().Select(static record => record.Moment);
        Assert.Equal([WriteMoment.Stored], moments);
        Assert.Equal("queue/m1", Journal.OfType<FaultInjected>().Single().Target);
    }

    [Fact]
    public async Task A_duplicated_message_is_stored_twice_and_confirmed_once()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"twice","every":1}""");
        Assert.IsType<Accepted>(await SendAsync(sender, "m1"));
        Assert.Equal(2, Host.Queue.Count);
        await Host.DisposeAsync();
        Assert.Equal(
            [WriteMoment.Stored, WriteMoment.Stored, WriteMoment.Answered],
            AfterFault("messageSend", "duplicate").OfType<MessageWritten>().Select(static record => record.Moment)
        );
    }

    [Fact]
    public async Task A_duplicated_batch_is_a_fault_of_each_of_its_messages_and_costs_no_memory_when_they_are_gone()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"twice","every":1}""");
        var batch = Encoded.Batch(null, [.. Enumerable.Range(0, 3).Select(static i => Encoded.Message($"{i}", messageId: $"m{i}"))]);
        var before = Host.Budget.UsedBytes;
        Assert.IsType<Accepted>(await sender.SendAsync(batch, AmqpNames.BatchFormat, Cancellation));
        Assert.Equal(6, Host.Queue.Count);
        Assert.Equal(["queue/m0", "queue/m1", "queue/m2"], Journal.OfType<FaultInjected>().Select(static fault => fault.Target));
        while (Host.Queue.TryLock() is { } delivery)
        {
            Assert.True(Host.Queue.Complete(delivery.LockToken));
        }

        Assert.Equal(before, Host.Budget.UsedBytes);
    }

    [Theory]
    [InlineData("drop", "")]
    [InlineData("detach", ",\"reason\":\"internal\"")]
    public async Task A_dropped_connection_or_detached_link_has_stored_nothing(string action, string reason)
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm($$"""{"name":"own","at":"messageSend","do":"{{action}}"{{reason}} }""");
        var failure = await Assert.ThrowsAsync<AmqpException>(() => SendAsync(sender, "m1"));
        Assert.Equal(action == "detach", failure.Error.Condition.Value == ErrorCondition.InternalError);
        Assert.Equal(action == "detach", peer.Connection.IsOpen);
        Assert.Equal(0, Host.Queue.Count);
        Assert.DoesNotContain(AfterFault("messageSend", action), static record => record is MessageWritten { Moment: WriteMoment.Stored });
    }

    [Fact]
    public async Task A_black_hole_neither_stores_nor_answers_and_lets_others_pass()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"F24","nth":1}""");
        var unanswered = SendAsync(sender, "m1");
        Assert.IsType<Accepted>(await SendAsync(sender, "m2"));
        Assert.False(unanswered.IsCompleted);
        Assert.Equal(1, Host.Queue.Count);
        await peer.Connection.DisposeAsync();
        await Assert.ThrowsAsync<AmqpException>(() => unanswered);
    }

    [Fact]
    public async Task Without_credit_a_message_waits_and_is_stored_in_the_end()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"F9","ms":50}""");
        var before = TimeProvider.System.GetTimestamp();
        Assert.IsType<Accepted>(await SendAsync(sender, "m1"));
        Assert.True(TimeProvider.System.GetElapsedTime(before) >= TimeSpan.FromMilliseconds(50));
        Assert.Contains(AfterFault("messageSend", "noCredit"), static record => record is MessageWritten { Moment: WriteMoment.Stored });
    }

    [Fact]
    public async Task A_corrupted_message_is_recorded_with_the_hash_of_the_sent_and_the_stored_one()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var sender = await peer.SenderAsync("queue");
        Arm("""{"name":"corrupt-message","nth":1,"every":1}""");
        Assert.IsType<Accepted>(await SendAsync(sender, "m1"));
        var written = Journal.OfType<MessageWritten>().ToList();
        Assert.NotEqual(
            written.Single(static record => record.Moment == WriteMoment.Begun).Sha256,
            written.Single(static record => record.Moment == WriteMoment.Stored).Sha256
        );
    }

    [Fact]
    public async Task A_delivery_may_be_detached_and_comes_again()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        Assert.IsType<Accepted>(await SendAsync(await peer.SenderAsync("queue"), "m1"));
        Arm("""{"name":"own","at":"messageDeliver","do":"detach","reason":"internal","limit":1}""");
        var first = await peer.ReceiverAsync("queue", 1, sender: SenderSettleMode.Unsettled);
        Assert.Equal(ErrorCondition.InternalError, (await first.Completion)!.Condition.Value);
        var second = await peer.ReceiverAsync("queue", 1, sender: SenderSettleMode.Unsettled);
        await second.ReceiveAsync(Cancellation);
        Assert.Equal("m1", Assert.Single(AfterFault("messageDeliver", "detach").OfType<MessageDelivered>()).MessageId);
    }

    [Fact]
    public async Task A_settlement_may_be_refused_and_then_holds()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var receiver = await ReceiveOneAsync(peer);
        Arm("""{"name":"own","at":"settle","do":"refuse","reason":"lock-lost","limit":1}""");
        var delivery = await receiver.ReceiveAsync(Cancellation);
        var rejected = Assert.IsType<Rejected>(await receiver.SettleAsync(delivery, Accepted.Instance, Cancellation));
        Assert.Equal(AmqpNames.MessageLockLostError, rejected.Error!.Condition.Value);
        Assert.Equal(1, Host.Queue.Count);
        Assert.DoesNotContain(AfterFault("settle", "refuse"), static record => record is MessageSettled);
    }

    [Fact]
    public async Task A_settlement_whose_answer_is_lost_is_done()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var receiver = await ReceiveOneAsync(peer);
        Arm("""{"name":"F11-settle","every":1}""");
        var delivery = await receiver.ReceiveAsync(Cancellation);
        await Assert.ThrowsAsync<AmqpException>(() => receiver.SettleAsync(delivery, Accepted.Instance, Cancellation));
        Assert.Equal(0, Host.Queue.Count);
        var settled = Assert.Single(AfterFault("settle", "loseAnswer").OfType<MessageSettled>());
        Assert.Equal(("m1", "complete"), (settled.MessageId, settled.Outcome));
    }

    [Fact]
    public async Task Deliveries_and_settlements_are_recorded_in_good_times_too()
    {
        await using var peer = await ConnectAsync(ServiceBus, "queue");
        var receiver = await ReceiveOneAsync(peer);
        var delivery = await receiver.ReceiveAsync(Cancellation);
        await receiver.SettleAsync(delivery, new Modified { DeliveryFailed = true }, Cancellation);
        receiver.AddCredit(1);
        await receiver.SettleAsync(await receiver.ReceiveAsync(Cancellation), Released.Instance, Cancellation);
        receiver.AddCredit(1);
        await receiver.SettleAsync(await receiver.ReceiveAsync(Cancellation), Accepted.Instance, Cancellation);
        var told = Journal
            .Where(static record => record is MessageDelivered or MessageSettled)
            .Select(static record => record is MessageSettled settled ? settled.Outcome : "deliver");
        Assert.Equal(["deliver", "abandon", "deliver", "release", "deliver", "complete"], told);
    }

    private static Task<DeliveryState> SendAsync(AmqpSender sender, string id) =>
        sender.SendAsync(Encoded.Message("abc", messageId: id), 0, Cancellation).AsTask();

    private async Task<AmqpReceiver> ReceiveOneAsync(Peer peer)
    {
        Assert.IsType<Accepted>(await SendAsync(await peer.SenderAsync("queue"), "m1"));
        return await peer.ReceiverAsync("queue", 1, sender: SenderSettleMode.Unsettled, receiver: ReceiverSettleMode.Second);
    }
}
