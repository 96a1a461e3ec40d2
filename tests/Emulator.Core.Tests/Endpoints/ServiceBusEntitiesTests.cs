using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>Schedules, rules, forwarding and what is refused, in the shapes that clients put on the wire.</summary>
public sealed class ServiceBusEntitiesTests : RunningEmulator
{
    private const string Rules = "topic/Subscriptions/sub/$management";

    private readonly VirtualClock _clock = new(TimeProvider.System.GetUtcNow());

    [Fact]
    public async Task Messages_are_scheduled_and_cancelled_by_arrays_of_long()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var answer = await ManageAsync(
            peer,
            "queue/$management",
            "com.microsoft:schedule-message",
            new AmqpMap
            {
                {
                    "messages",
                    new AmqpList { Item("a"), Item("b") }
                },
            }
        );
        var numbers = Assert.IsType<AmqpArray>(Body(answer)["sequence-numbers"]);
        Assert.Equal([1L, 2L], numbers.Items);
        var shown = await ManageAsync(
            peer,
            "queue/$management",
            "com.microsoft:peek-message",
            new AmqpMap { { "from-sequence-number", 1L }, { "message-count", 10 } }
        );
        var first = AmqpMessage.Decode((ReadOnlyMemory<byte>)((AmqpMap)((AmqpList)Body(shown)["messages"]!)[0]!)["message"]!);
        Assert.Equal(2, first.MessageAnnotations!.Find(AmqpNames.MessageState));

        var cancel = new AmqpMap { { "sequence-numbers", AmqpArray.Of(new[] { 1L }) } };
        Assert.Equal(200, Status(await ManageAsync(peer, "queue/$management", "com.microsoft:cancel-scheduled-message", cancel)));
        Assert.Equal(404, Status(await ManageAsync(peer, "queue/$management", "com.microsoft:cancel-scheduled-message", cancel)));
        _clock.Advance(TimeSpan.FromMinutes(1));
        var receiver = await ReceiverAsync(peer, "queue");
        Assert.Equal("b", AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload).Properties!.MessageId);
    }

    [Fact]
    public async Task Deferred_messages_are_received_all_or_none()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await SendAsync(peer, "queue", "a");
        var receiver = await ReceiverAsync(peer, "queue");
        await receiver.SettleAsync(await receiver.ReceiveAsync(Cancellation), new Modified { UndeliverableHere = true }, Cancellation);
        AmqpMap Request(params long[] numbers) => new() { { "sequence-numbers", AmqpArray.Of(numbers) }, { "receiver-settle-mode", 1u } };
        var refused = await ManageAsync(peer, "queue/$management", "com.microsoft:receive-by-sequence-number", Request(1, 99));
        Assert.Equal((404, new AmqpSymbol(AmqpNames.MessageNotFoundError)), (Status(refused), refused.ApplicationProperties!["errorCondition"]));
        Assert.Equal(200, Status(await ManageAsync(peer, "queue/$management", "com.microsoft:receive-by-sequence-number", Request(1))));
    }

    [Fact]
    public async Task Rules_are_listed_removed_and_added_in_the_services_shapes()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var description = Assert.Single(await ListAsync(peer));
        Assert.Equal(0x13700000004ul, description.Descriptor);
        var fields = Assert.IsType<AmqpList>(description.Value);
        Assert.Equal(
            (0x1370000007ul, 0x13700000005ul, "$Default"),
            (((AmqpDescribed)fields[0]!).Descriptor, ((AmqpDescribed)fields[1]!).Descriptor, fields[2])
        );

        Assert.Equal(200, Status(await ManageAsync(peer, Rules, "com.microsoft:remove-rule", new AmqpMap { { "rule-name", "$Default" } })));
        Assert.Empty(await ListAsync(peer));
        await SendAsync(peer, "topic", "nobody's");
        Assert.Equal(
            200,
            Status(
                await AddAsync(
                    peer,
                    "red",
                    new AmqpMap
                    {
                        {
                            "correlation-filter",
                            new AmqpMap
                            {
                                { "label", null },
                                { "message-id", "m" },
                                {
                                    "properties",
                                    new AmqpMap { { "n", 1 } }
                                },
                            }
                        },
                    }
                )
            )
        );
        var filter = (AmqpDescribed)((AmqpList)Assert.Single(await ListAsync(peer)).Value!)[0]!;
        Assert.Equal(0x1370000009ul, filter.Descriptor);
        Assert.Equal("m", ((AmqpList)filter.Value!)[1]);
        Assert.Equal(1, ((AmqpMap)((AmqpList)filter.Value!)[8]!)["n"]);
        Assert.Equal(
            409,
            Status(
                await AddAsync(
                    peer,
                    "RED",
                    new AmqpMap
                    {
                        {
                            "sql-filter",
                            new AmqpMap { { "expression", "1=1" } }
                        },
                    }
                )
            )
        );
        Assert.Equal(
            200,
            Status(
                await AddAsync(
                    peer,
                    "$Default",
                    new AmqpMap
                    {
                        {
                            "sql-filter",
                            new AmqpMap { { "expression", "1 = 1" } }
                        },
                    }
                )
            )
        );
        await SendAsync(peer, "topic", "everybody's");
        Assert.Equal(
            "everybody's",
            AmqpMessage.Decode((await (await ReceiverAsync(peer, "topic/subscriptions/SUB")).ReceiveAsync(Cancellation)).Payload).Properties!.MessageId
        );
    }

    [Theory]
    [InlineData("from")]
    [InlineData("dead/$DeadLetterQueue")]
    public async Task Nothing_is_received_from_what_forwards(string address)
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        Host.Queues.CreateQueue(new QueueSettings("dead") { ForwardDeadLettersTo = "queue" });
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ReceiverAsync(peer, address));
        Assert.Equal(ErrorCondition.NotAllowed, refusal.Error.Condition.Value);
        Assert.Contains("auto-forwarding", refusal.Error.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_are_sent_to_queues_and_topics_only()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("topic/Subscriptions/sub"));
        Assert.Equal(ErrorCondition.NotAllowed, refusal.Error.Condition.Value);
        refusal = await Assert.ThrowsAsync<AmqpException>(() => ReceiverAsync(peer, "topic"));
        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
    }

    // A client that might begin a transaction opens this link before any other one, on the session that all its links share.
    [Fact]
    public async Task A_coordinator_of_transactions_may_be_attached_and_no_transaction_begun()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var session = await peer.SessionAsync();
        var attach = new Attach
        {
            Name = "coordinator",
            Source = new Source(),
            Target = new Target { IsCoordinator = true, Capabilities = [new AmqpSymbol("amqp:local-transactions")] },
        };
        var coordinator = await session.AttachSenderAsync(attach, Cancellation);
        Assert.True(coordinator.RemoteAttach.Target!.IsCoordinator);
        await SendAsync(peer, "queue", "a");
        var declare = new AmqpMessage { Body = MessageBody.OfValue(new AmqpDescribed(0x31UL, new AmqpList())) };
        var refused = Assert.IsType<Rejected>(await coordinator.SendAsync(declare.Encode(), 0, Cancellation));
        Assert.Equal((ErrorCondition.NotImplemented, "Transactions are not supported here."), (refused.Error!.Condition.Value, refused.Error.Description));
        await SendAsync(peer, "queue", "b");
    }

    [Theory]
    [InlineData("queue")]
    [InlineData("topic")]
    public async Task The_link_of_a_sender_has_the_largest_size_of_a_batch(string entity)
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        Assert.Equal(202, await peer.PutTokenAsync(entity));
        var sender = await peer.SenderAsync(entity);
        Assert.Equal(262_144L, sender.RemoteAttach.Properties!.Find("com.microsoft:max-message-batch-size"));
    }

    [Fact]
    public async Task An_outcome_within_a_transaction_is_refused_and_the_lock_stays()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await SendAsync(peer, "queue", "a");
        var receiver = await ReceiverAsync(peer, "queue");
        var delivery = await receiver.ReceiveAsync(Cancellation);
        var answer = Assert.IsType<Rejected>(await receiver.SettleAsync(delivery, new TransactionalState(new byte[] { 1 }, Accepted.Instance), Cancellation));
        Assert.Equal(ErrorCondition.NotImplemented, answer.Error!.Condition.Value);
        Assert.True(Host.Queue.Complete(new Guid(delivery.Tag.Span)));
    }

    [Fact]
    public async Task An_unsupported_request_of_a_link_is_refused_by_its_name()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var filter = new AmqpMap { { new AmqpSymbol("apache.org:selector-filter:string"), "colour = 'red'" } };
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.ReceiverAsync("queue", 1, filter: filter));
        Assert.Equal("The filter 'apache.org:selector-filter:string' is not supported here.", refusal.Error.Description);
        var session = await peer.SessionAsync();
        var via = new Attach
        {
            Name = "via",
            Source = new Source(),
            Target = new Target { Address = "queue" },
            Properties = new AmqpMap { { new AmqpSymbol("com.microsoft:transfer-destination-address"), "topic" } },
        };
        refusal = await Assert.ThrowsAsync<AmqpException>(() => session.AttachSenderAsync(via, Cancellation));
        Assert.Equal("The link property 'com.microsoft:transfer-destination-address' is not supported here.", refusal.Error.Description);
        var browse = new Attach
        {
            Name = "browse",
            Source = new Source { Address = "queue", DistributionMode = new AmqpSymbol("copy") },
            Target = new Target(),
        };
        refusal = await Assert.ThrowsAsync<AmqpException>(() => session.AttachReceiverAsync(browse, 1, Cancellation));
        Assert.Equal("The distribution mode 'copy' is not supported here.", refusal.Error.Description);
    }

    [Theory]
    [InlineData("queue/$management", "com.microsoft:peek-message", "colour", 400, "The request's 'colour' is not supported here.")]
    [InlineData("queue/$management", "com.microsoft:peek-message", "session-id", 400, "A sessionful message receiver cannot be created")]
    [InlineData("queue/$management", "com.microsoft:batch-delete-messages", "message-count", 501, "The operation 'com.microsoft:batch-delete-messages'")]
    [InlineData(Rules, "com.microsoft:enumerate-rules", "colour", 400, "The request's 'colour' is not supported here.")]
    public async Task An_unsupported_field_of_a_request_is_refused(string address, string operation, string field, int status, string text)
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        Assert.Equal(202, await peer.PutTokenAsync(address));
        var answer = await ManageAsync(peer, address, operation, new AmqpMap { { field, "1" } });
        Assert.Equal(status, Status(answer));
        Assert.StartsWith(text, answer.ApplicationProperties!.FindString("statusDescription"), StringComparison.Ordinal);
        Assert.NotEqual(status, Status(await ManageAsync(peer, address, "com.microsoft:peek-message", new AmqpMap { { "colour", null } })));
    }

    [Fact]
    public async Task A_condition_of_a_correlation_that_is_not_known_is_refused()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        Assert.Equal(202, await peer.PutTokenAsync("topic"));
        var correlation = new AmqpMap { { "label", "a" }, { "colour", "red" } };
        Assert.Equal(400, Status(await AddAsync(peer, "r", new AmqpMap { { "correlation-filter", correlation } })));
    }

    [Fact]
    public async Task The_links_of_a_queue_end_with_it()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var receiver = await ReceiverAsync(peer, "queue");
        var sender = await peer.SenderAsync("queue");
        Assert.True(Host.Queues.DeleteQueue("queue"));
        var gone = await Assert.ThrowsAsync<AmqpException>(() => receiver.ReceiveAsync(Cancellation).AsTask());
        Assert.Equal(ErrorCondition.NotFound, gone.Error.Condition.Value);
        var error = await sender.Completion.WaitAsync(Cancellation);
        Assert.Equal(ErrorCondition.NotFound, error!.Condition.Value);
    }

    [Fact]
    public async Task A_senders_link_ends_with_its_topic()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var sender = await peer.SenderAsync("topic");
        Assert.True(Host.Queues.DeleteTopic("topic"));
        var error = await sender.Completion.WaitAsync(Cancellation);
        Assert.Equal(ErrorCondition.NotFound, error!.Condition.Value);
    }

    private protected override EmulatorOptions Options() =>
        new()
        {
            TimeProvider = _clock,
            AllowAnonymous = true,
            Entities = EntitySet.Default with
            {
                Queues = [new QueueSettings("queue"), new QueueSettings("from") { ForwardTo = "queue" }],
                Topics = [new TopicSettings("topic") { Subscriptions = [new QueueSettings("sub")] }],
            },
        };

    private static AmqpMap Body(AmqpMessage answer) => Assert.IsType<AmqpMap>(answer.Body.Value);

    private static int Status(AmqpMessage answer) => (int)answer.ApplicationProperties!["statusCode"]!;

    private static Task<AmqpMessage> ManageAsync(Peer peer, string address, string operation, AmqpMap body) =>
        peer.RequestAsync(address, new AmqpMap { { "operation", operation } }, MessageBody.OfValue(body));

    private static Task<AmqpMessage> AddAsync(Peer peer, string name, AmqpMap description) =>
        ManageAsync(peer, Rules, "com.microsoft:add-rule", new AmqpMap { { "rule-name", name }, { "rule-description", description } });

    private static async Task<AmqpDescribed[]> ListAsync(Peer peer)
    {
        var answer = await ManageAsync(peer, Rules, "com.microsoft:enumerate-rules", new AmqpMap { { "top", 100 }, { "skip", 0 } });
        return Status(answer) == 204 ? [] : [.. ((AmqpList)Body(answer)["rules"]!).Select(static rule => (AmqpDescribed)((AmqpMap)rule!)["rule-description"]!)];
    }

    private static Task<AmqpReceiver> ReceiverAsync(Peer peer, string address) =>
        peer.ReceiverAsync(address, 1, SenderSettleMode.Unsettled, ReceiverSettleMode.Second);

    private static async Task SendAsync(Peer peer, string address, string id)
    {
        var sender = await peer.SenderAsync(address);
        Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message(id, messageId: id), 0, Cancellation));
    }

    private AmqpMap Item(string id) =>
        new()
        {
            { "message-id", id },
            {
                "message",
                new AmqpMessage
                {
                    MessageAnnotations = new AmqpMap
                    {
                        { new AmqpSymbol(AmqpNames.ScheduledEnqueueTime), AmqpTimestamp.From(_clock.GetUtcNow().AddSeconds(30)) },
                    },
                    Properties = new MessageProperties { MessageId = id },
                    Body = MessageBody.OfData(new byte[] { 1 }),
                }.Encode()
            },
        };
}
