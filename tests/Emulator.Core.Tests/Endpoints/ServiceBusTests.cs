using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class ServiceBusTests : RunningEmulator
{
    private readonly VirtualClock _clock = new(TimeProvider.System.GetUtcNow());

    [Fact]
    public async Task A_message_is_sent_received_and_completed_in_two_phases()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        var delivery = await receiver.ReceiveAsync(Cancellation);
        var message = AmqpMessage.Decode(delivery.Payload);
        Assert.Equal(16, delivery.Tag.Length);
        Assert.Equal(0u, message.Header!.DeliveryCount);
        Assert.Equal("m0", message.Properties!.MessageId);
        Assert.Equal(1L, message.MessageAnnotations!.Find(AmqpNames.SequenceNumber));
        Assert.Equal(AmqpTimestamp.From(_clock.GetUtcNow().AddSeconds(30)), message.MessageAnnotations.Find(AmqpNames.LockedUntil));
        Assert.IsType<Accepted>(await receiver.SettleAsync(delivery, Accepted.Instance, Cancellation));
        Assert.Equal(0, Host.Queue.Count);
    }

    [Fact]
    public async Task Abandoned_messages_come_again_with_a_higher_count()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 2);
        await SettleAsync(receiver, await receiver.ReceiveAsync(Cancellation), new Modified());
        Assert.Equal(1u, AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload).Header!.DeliveryCount);
    }

    [Fact]
    public async Task A_released_message_comes_again_uncounted_however_often()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        for (var i = 0; i < 2 * Host.Queue.Settings.MaximumDeliveryCount; i++)
        {
            var delivery = await receiver.ReceiveAsync(Cancellation);
            Assert.Equal(0u, AmqpMessage.Decode(delivery.Payload).Header!.DeliveryCount);
            await SettleAsync(receiver, delivery, Released.Instance);
            receiver.AddCredit(1);
        }

        Assert.Equal(0, Host.Queue.DeadLetters!.Count);
    }

    [Theory]
    [InlineData(false, 1u)]
    [InlineData(true, 0u)]
    public async Task A_delivery_settled_without_a_state_gets_the_default_outcome_of_its_link_or_has_failed(bool released, uint count)
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await peer.ReceiverAsync("queue", 2, SenderSettleMode.Unsettled, defaultOutcome: released ? Released.Instance : null);

        // A delivery that has only been begun is not an outcome.
        receiver.Settle(await receiver.ReceiveAsync(Cancellation), new Received(0, 0));
        Assert.Equal(count, AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload).Header!.DeliveryCount);
    }

    [Fact]
    public async Task A_dead_letter_cannot_be_dead_lettered_and_comes_again_as_it_was()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        await SettleAsync(receiver, await receiver.ReceiveAsync(Cancellation), new Rejected(new AmqpError(AmqpNames.DeadLetterError, null)));
        var dead = await PeekLockAsync(peer, 2, "queue/$DeadLetterQueue");
        var answer = await dead.SettleAsync(await dead.ReceiveAsync(Cancellation), new Rejected(new AmqpError(AmqpNames.DeadLetterError, null)), Cancellation);
        Assert.Equal(ErrorCondition.NotAllowed, Assert.IsType<Rejected>(answer).Error!.Condition.Value);
        var again = await dead.ReceiveAsync(Cancellation);
        Assert.Equal(0u, AmqpMessage.Decode(again.Payload).Header!.DeliveryCount);
        var settled = await ManageAsync(
            peer,
            "com.microsoft:update-disposition",
            Disposition("suspended", new Guid(again.Tag.Span)),
            "queue/$DeadLetterQueue/$management"
        );
        Assert.Equal(
            (400, new AmqpSymbol(ErrorCondition.NotAllowed)),
            (settled.ApplicationProperties!["statusCode"], settled.ApplicationProperties["errorCondition"])
        );
        Assert.Equal(1, Host.Queue.DeadLetters!.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_flags_of_a_header_come_as_they_were_given(bool given)
    {
        await using var peer = await AuthorizedAsync();
        var message = new AmqpMessage
        {
            Header = new MessageHeader { Durable = given ? false : null, FirstAcquirer = given ? false : null },
            Body = MessageBody.OfData("m0"u8.ToArray()),
        };
        await (await peer.SenderAsync("queue")).SendAsync(message.Encode(), 0, Cancellation);
        var header = AmqpMessage.Decode((await (await PeekLockAsync(peer, 1)).ReceiveAsync(Cancellation)).Payload).Header!;
        Assert.Equal(given ? (false, false) : (null, null), (header.Durable, header.FirstAcquirer));
    }

    [Fact]
    public async Task A_scheduled_message_has_the_state_scheduled_when_it_is_received()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        foreach (var seconds in new[] { 0, 60 })
        {
            await (await peer.SenderAsync("queue")).SendAsync(
                Encoded.Content("late", scheduled: _clock.GetUtcNow().AddSeconds(seconds)).Encode(),
                0,
                Cancellation
            );
        }

        _clock.Advance(TimeSpan.FromSeconds(61));
        var receiver = await PeekLockAsync(peer, 3);
        foreach (var state in new[] { 0, 0, 2 })
        {
            Assert.Equal(state, AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload).MessageAnnotations!.Find(AmqpNames.MessageState));
        }
    }

    [Fact]
    public async Task Dead_letters_wait_in_their_own_queue()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        var error = new AmqpError(AmqpNames.DeadLetterError, null, new AmqpMap { { "DeadLetterReason", "why" }, { "DeadLetterErrorDescription", "because" } });
        await SettleAsync(receiver, await receiver.ReceiveAsync(Cancellation), new Rejected(error));
        var dead = await PeekLockAsync(peer, 1, "queue/$DeadLetterQueue");
        var message = AmqpMessage.Decode((await dead.ReceiveAsync(Cancellation)).Payload);
        Assert.Equal(("why", "because"), (message.ApplicationProperties!["DeadLetterReason"], message.ApplicationProperties["DeadLetterErrorDescription"]));
        Assert.Equal("queue", message.MessageAnnotations!.Find(AmqpNames.DeadLetterSource));
    }

    [Fact]
    public async Task Deferred_messages_are_received_by_their_number()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        await SettleAsync(receiver, await receiver.ReceiveAsync(Cancellation), new Modified { UndeliverableHere = true });
        var answer = await ManageAsync(
            peer,
            "com.microsoft:receive-by-sequence-number",
            new AmqpMap { { "sequence-numbers", AmqpArray.Of(new[] { 1L }) }, { "receiver-settle-mode", 1u } }
        );
        var item = Assert.IsType<AmqpMap>(Assert.Single((AmqpList)((AmqpMap)answer.Body.Value!)["messages"]!));
        var token = (Guid)item["lock-token"]!;

        // Where the Python SDK looks for it.
        var message = AmqpMessage.Decode((ReadOnlyMemory<byte>)item["message"]!);
        Assert.Equal(token, message.DeliveryAnnotations!.Find(AmqpNames.LockToken));
        Assert.Equal(1u, message.Header!.DeliveryCount);
        var settled = await ManageAsync(peer, "com.microsoft:update-disposition", Disposition("completed", token));
        Assert.Equal(200, settled.ApplicationProperties!["statusCode"]);
        Assert.Equal(0, Host.Queue.Count);
    }

    [Fact]
    public async Task A_settlement_after_the_lock_has_ended_is_answered_with_lock_lost()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        var delivery = await receiver.ReceiveAsync(Cancellation);
        _clock.Advance(TimeSpan.FromSeconds(31));
        var answer = Assert.IsType<Rejected>(await receiver.SettleAsync(delivery, Accepted.Instance, Cancellation));
        Assert.Equal(AmqpNames.MessageLockLostError, answer.Error!.Condition.Value);
        Assert.Equal(1, Host.Queue.Count);
    }

    [Fact]
    public async Task A_renewed_lock_holds_and_its_token_is_the_tag_as_a_guid()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        var delivery = await receiver.ReceiveAsync(Cancellation);
        _clock.Advance(TimeSpan.FromSeconds(20));
        var answer = await ManageAsync(
            peer,
            "com.microsoft:renew-lock",
            new AmqpMap { { "lock-tokens", AmqpArray.Of(new[] { new Guid(delivery.Tag.Span) }) } }
        );
        var expirations = Assert.IsType<AmqpArray>(((AmqpMap)answer.Body.Value!)["expirations"]);
        Assert.Equal(AmqpTimestamp.From(_clock.GetUtcNow().AddSeconds(30)), Assert.Single(expirations.Items));
        _clock.Advance(TimeSpan.FromSeconds(20));
        await SettleAsync(receiver, delivery, Accepted.Instance);
    }

    [Theory]
    [InlineData("com.microsoft:renew-lock")]
    [InlineData("com.microsoft:update-disposition")]
    public async Task An_unknown_lock_is_answered_with_410(string operation)
    {
        await using var peer = await AuthorizedAsync();
        var locks = new AmqpMap { { "lock-tokens", AmqpArray.Of(new[] { Guid.NewGuid() }) } };
        var answer = await ManageAsync(
            peer,
            operation,
            operation.EndsWith("lock", StringComparison.Ordinal) ? locks : Disposition("completed", Guid.NewGuid())
        );
        Assert.Equal(410, answer.ApplicationProperties!["statusCode"]);
        Assert.Equal(new AmqpSymbol(AmqpNames.MessageLockLostError), answer.ApplicationProperties["errorCondition"]);
    }

    [Theory]
    [InlineData("completed", 0, 0)]
    [InlineData("abandoned", 1, 0)]
    [InlineData("defered", 1, 0)]
    [InlineData("suspended", 0, 1)]
    public async Task A_message_can_be_settled_when_its_link_is_gone(string status, int left, int dead)
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        var receiver = await PeekLockAsync(peer, 1);
        var token = new Guid((await receiver.ReceiveAsync(Cancellation)).Tag.Span);
        await receiver.DetachAsync(null, Cancellation);
        var answer = await ManageAsync(peer, "com.microsoft:update-disposition", Disposition(status, token));
        Assert.Equal(200, answer.ApplicationProperties!["statusCode"]);
        Assert.Equal((left, dead), (Host.Queue.Count, Host.Queue.DeadLetters!.Count));
    }

    [Fact]
    public async Task Peeking_shows_what_is_there_and_204_when_nothing_is()
    {
        await using var peer = await AuthorizedAsync();
        var request = new AmqpMap { { "from-sequence-number", 1L }, { "message-count", 10 } };
        Assert.Equal(204, (await ManageAsync(peer, "com.microsoft:peek-message", request)).ApplicationProperties!["statusCode"]);
        await SendAsync(peer, "m0", "m1");
        var answer = await ManageAsync(peer, "com.microsoft:peek-message", request);
        var messages = Assert.IsType<AmqpList>(((AmqpMap)answer.Body.Value!)["messages"]);
        Assert.Equal(
            ["m0", "m1"],
            messages.Select(static item => AmqpMessage.Decode((ReadOnlyMemory<byte>)((AmqpMap)item!)["message"]!).Properties!.MessageId)
        );
    }

    [Fact]
    public async Task Peeking_leaves_bodies_out_when_asked()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0");
        foreach (var omitted in new[] { true, false })
        {
            var request = new AmqpMap
            {
                { "from-sequence-number", 1L },
                { "message-count", 1 },
                { "omit-message-body", omitted },
            };
            var answer = await ManageAsync(peer, "com.microsoft:peek-message", request);
            var item = Assert.IsType<AmqpMap>(Assert.Single((AmqpList)((AmqpMap)answer.Body.Value!)["messages"]!));
            var message = AmqpMessage.Decode((ReadOnlyMemory<byte>)item["message"]!);
            Assert.Equal(("m0", omitted ? 0 : 1), (message.Properties!.MessageId, message.Body.Data.Count));
        }
    }

    [Fact]
    public async Task An_unknown_operation_is_answered_with_501()
    {
        await using var peer = await AuthorizedAsync();
        Assert.Equal(501, (await ManageAsync(peer, "com.microsoft:dance", new AmqpMap())).ApplicationProperties!["statusCode"]);
    }

    [Fact]
    public async Task Receive_and_delete_removes_with_the_delivery()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0", "m1");
        var receiver = await peer.ReceiverAsync("queue", 2, SenderSettleMode.Settled, ReceiverSettleMode.First);
        Assert.True((await receiver.ReceiveAsync(Cancellation)).Settled);
        await receiver.ReceiveAsync(Cancellation);
        Assert.Equal(0, Host.Queue.Count);
    }

    [Fact]
    public async Task A_drain_is_answered_when_the_queue_is_empty()
    {
        await using var peer = await AuthorizedAsync();
        var receiver = await PeekLockAsync(peer, 5);
        await receiver.DrainAsync(Cancellation);
        Assert.Equal(0u, receiver.Credit);
    }

    [Fact]
    public async Task A_drain_delivers_what_is_there_first()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0", "m1");
        var receiver = await PeekLockAsync(peer, 5);
        await receiver.DrainAsync(Cancellation);
        Assert.True(receiver.TryReceive(out _));
        Assert.True(receiver.TryReceive(out _));
        Assert.False(receiver.TryReceive(out _));
    }

    [Fact]
    public async Task Nothing_is_locked_without_credit()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "m0", "m1");
        var receiver = await PeekLockAsync(peer, 1);
        await receiver.ReceiveAsync(Cancellation);
        Assert.Equal(["Locked", "Available"], Host.Queue.Peek(1, 10).Select(static message => message.State.ToString()));
    }

    [Fact]
    public async Task A_batch_is_stored_message_by_message_and_each_has_an_id()
    {
        await using var peer = await AuthorizedAsync();
        var sender = await peer.SenderAsync("queue");
        Assert.Equal(262_144ul, sender.RemoteAttach.MaxMessageSize);
        await sender.SendAsync(Encoded.Batch(null, Encoded.Message("a"), Encoded.Message("b", messageId: "b")), AmqpNames.BatchFormat, Cancellation);
        var ids = Host.Queue.Peek(1, 10).Select(static message => message.Content.MessageId).ToArray();
        Assert.Equal(2, ids.Length);
        Assert.NotEmpty(ids[0]);
        Assert.Equal("b", ids[1]);
    }

    [Fact]
    public async Task Session_receivers_are_refused()
    {
        await using var peer = await AuthorizedAsync();
        var filter = new AmqpMap { { new AmqpSymbol(AmqpNames.SessionFilter), null } };
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.ReceiverAsync("queue", 1, filter: filter));
        Assert.Equal(ErrorCondition.NotAllowed, refusal.Error.Condition.Value);
    }

    private protected override EmulatorOptions Options() => new() { TimeProvider = _clock, AllowAnonymous = true };

    private static AmqpMap Disposition(string status, Guid token) =>
        new() { { "disposition-status", status }, { "lock-tokens", AmqpArray.Of(new[] { token }) } };

    private static Task<AmqpMessage> ManageAsync(Peer peer, string operation, AmqpMap body, string node = "queue/$management") =>
        peer.RequestAsync(node, new AmqpMap { { "operation", operation } }, MessageBody.OfValue(body));

    private static Task<AmqpReceiver> PeekLockAsync(Peer peer, uint credit, string address = "queue") =>
        peer.ReceiverAsync(address, credit, SenderSettleMode.Unsettled, ReceiverSettleMode.Second);

    // The answer is of the outcome's kind, and has no error.
    private static async Task SettleAsync(AmqpReceiver receiver, IncomingDelivery delivery, DeliveryState state)
    {
        var answer = await receiver.SettleAsync(delivery, state, Cancellation);
        Assert.IsType(state.GetType(), answer);
        Assert.Null((answer as Rejected)?.Error);
    }

    private static async Task SendAsync(Peer peer, params string[] ids)
    {
        var sender = await peer.SenderAsync("queue");
        foreach (var id in ids)
        {
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message(id, messageId: id), 0, Cancellation));
        }
    }

    private async Task<Peer> AuthorizedAsync()
    {
        var peer = await Peer.ConnectAsync(ServiceBus);
        Assert.Equal(202, await peer.PutTokenAsync("queue"));
        return peer;
    }
}
