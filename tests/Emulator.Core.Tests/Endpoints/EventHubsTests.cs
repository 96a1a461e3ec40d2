using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class EventHubsTests : RunningEmulator
{
    private const string Reader = "hub/ConsumerGroups/$Default/Partitions/";

    [Fact]
    public async Task The_hub_describes_itself()
    {
        await using var peer = await AuthorizedAsync();
        var answer = await peer.RequestAsync("$management", Read(peer, AmqpNames.EventHubType), MessageBody.OfData(ReadOnlyMemory<byte>.Empty));
        Assert.Equal(200, answer.ApplicationProperties!["status-code"]);
        Assert.Equal(200, answer.ApplicationProperties["statusCode"]);
        var body = Assert.IsType<AmqpMap>(answer.Body.Value);
        Assert.Equal("hub", body["name"]);
        Assert.Equal(["0", "1", "2", "3"], Assert.IsType<AmqpArray>(body["partition_ids"]).Items);
        Assert.Equal(4, body["partition_count"]);
        Assert.Equal(1, body["georeplication_factor"]);
    }

    [Fact]
    public async Task An_empty_partition_describes_itself_with_minus_one()
    {
        await using var peer = await AuthorizedAsync();
        var body = (AmqpMap)(await peer.RequestAsync("$management", Read(peer, AmqpNames.PartitionType, "0"), default)).Body.Value!;
        Assert.Equal(
            (-1L, -1L, "-1", true),
            (body["begin_sequence_number"], body["last_enqueued_sequence_number"], body["last_enqueued_offset"], body["is_partition_empty"])
        );
    }

    [Fact]
    public async Task A_filled_partition_describes_its_ends()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/2", "a", "b");
        var body = (AmqpMap)(await peer.RequestAsync("$management", Read(peer, AmqpNames.PartitionType, "2"), default)).Body.Value!;
        Assert.Equal(
            (0L, 1L, "1", false),
            (body["begin_sequence_number"], body["last_enqueued_sequence_number"], body["last_enqueued_offset"], body["is_partition_empty"])
        );
    }

    [Fact]
    public async Task A_management_request_without_any_token_is_unauthorized()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        var properties = Read(peer, AmqpNames.EventHubType);
        properties.Remove("security_token");
        var answer = await peer.RequestAsync("$management", properties, default);
        Assert.Equal(401, answer.ApplicationProperties!["status-code"]);
    }

    [Fact]
    public async Task The_attach_of_a_producer_has_the_largest_message_size()
    {
        await using var peer = await AuthorizedAsync();
        Assert.Equal(1_048_576ul, (await peer.SenderAsync("hub")).RemoteAttach.MaxMessageSize);
    }

    [Fact]
    public async Task Events_come_back_in_order_with_their_annotations()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/1", "a", "b", "c");
        var receiver = await peer.ReceiverAsync(Reader + "1", 10);
        var events = await ReceiveAsync(receiver, 3);
        Assert.Equal(["a", "b", "c"], events.Select(Encoded.GetText));
        Assert.Equal([0L, 1L, 2L], events.Select(static message => message.MessageAnnotations!.Find("x-opt-sequence-number")));
        Assert.Equal(["0", "1", "2"], events.Select(static message => message.MessageAnnotations!.Find("x-opt-offset")));
    }

    [Fact]
    public async Task A_batch_goes_as_one_to_the_partition_of_its_key()
    {
        await using var peer = await AuthorizedAsync();
        var sender = await peer.SenderAsync("hub");
        foreach (var (key, partition) in new[] { ("a", "0"), ("key-B", "1"), ("alphabet", "2"), ("order-42", "3"), ("ünïcödé", "3") })
        {
            var before = Host.Hub.FindPartition(partition)!.State.LastSequence;
            var batch = Encoded.Batch(key, Encoded.Message(key + 1, key), Encoded.Message(key + 2, key));
            Assert.IsType<Accepted>(await sender.SendAsync(batch, AmqpNames.BatchFormat, Cancellation));
            Assert.Equal(before + 2, Host.Hub.FindPartition(partition)!.State.LastSequence);
            var receiver = await peer.ReceiverAsync(Reader + partition, 2, filter: Filter($"amqp.annotation.x-opt-sequence-number > {before}"));
            Assert.All(await ReceiveAsync(receiver, 2), message => Assert.Equal(key, message.MessageAnnotations!.Find("x-opt-partition-key")));
        }
    }

    [Fact]
    public async Task Events_without_a_key_take_turns()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub", "a", "b", "c", "d");
        Assert.All(Host.Hub.Partitions, static partition => Assert.Equal(0, partition.State.LastSequence));
    }

    [Fact]
    public async Task A_message_over_the_limit_is_rejected_and_the_link_stays_usable()
    {
        await using var peer = await AuthorizedAsync();
        var sender = await peer.SenderAsync("hub/Partitions/0");
        var batch = Encoded.Batch(null);
        Assert.IsType<Rejected>(await sender.SendAsync(batch, AmqpNames.BatchFormat, Cancellation));
        Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("fits"), 0, Cancellation));
    }

    [Theory]
    [InlineData("amqp.annotation.x-opt-offset > '-1'", "0")]
    [InlineData("amqp.annotation.x-opt-offset > '2'", "3")]
    [InlineData("amqp.annotation.x-opt-offset >= 2", "2")]
    [InlineData("amqp.annotation.x-opt-sequence-number > 2", "3")]
    [InlineData("amqp.annotation.x-opt-sequence-number >= '2'", "2")]
    [InlineData("amqp.annotation.x-opt-enqueued-time > 0", "0")]
    [InlineData(null, "0")]
    public async Task A_reader_starts_where_it_asks(string? selector, string first)
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/0", "0", "1", "2", "3", "4");
        object?[] descriptors = selector is null
            ? [null]
            : [AmqpNames.SelectorFilterCode, AmqpNames.SelectorFilterCodeDotNet, new AmqpSymbol(AmqpNames.SelectorFilter)];
        foreach (var descriptor in descriptors)
        {
            var receiver = await peer.ReceiverAsync(Reader + "0", 1, filter: selector is null ? null : Filter(selector, descriptor!));
            Assert.Equal(first, Encoded.GetText((await ReceiveAsync(receiver, 1))[0]));
            await receiver.DetachAsync(null, Cancellation);
        }
    }

    [Fact]
    public async Task Latest_means_after_the_attach()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/0", "before");
        var receiver = await peer.ReceiverAsync(Reader + "0", 5, filter: Filter("amqp.annotation.x-opt-offset > '@latest'"));
        await SendAsync(peer, "hub/Partitions/0", "after");
        Assert.Equal("after", Encoded.GetText((await ReceiveAsync(receiver, 1))[0]));
    }

    [Fact]
    public async Task A_reader_gets_no_more_than_its_credit()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/0", "0", "1", "2", "3");
        var receiver = await peer.ReceiverAsync(Reader + "0", 2);
        await ReceiveAsync(receiver, 2);
        await receiver.DrainAsync(Cancellation);
        Assert.False(receiver.TryReceive(out _));
        receiver.AddCredit(1);
        Assert.Equal("2", Encoded.GetText((await ReceiveAsync(receiver, 1))[0]));
    }

    [Fact]
    public async Task The_runtime_metric_comes_only_when_asked_for()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/0", "a", "b");
        var asked = await peer.ReceiverAsync(Reader + "0", 1, capabilities: AmqpNames.RuntimeMetricCapability);
        var annotations = (await ReceiveAsync(asked, 1))[0].DeliveryAnnotations!;
        Assert.Equal((1L, "1"), (annotations.Find("last_enqueued_sequence_number"), annotations.Find("last_enqueued_offset")));
        var plain = await peer.ReceiverAsync(Reader + "0", 1);
        Assert.Null((await ReceiveAsync(plain, 1))[0].DeliveryAnnotations);
    }

    [Theory]
    [InlineData(null, ReceiverSettleMode.First)]
    [InlineData(null, null)]
    [InlineData(SenderSettleMode.Mixed, null)]
    public async Task Events_come_settled_unless_the_reader_asks_otherwise(SenderSettleMode? sender, ReceiverSettleMode? settles)
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/0", "a");
        var receiver = await peer.ReceiverAsync(Reader + "0", 1, sender, settles);
        Assert.True((await receiver.ReceiveAsync(Cancellation)).Settled);
    }

    [Fact]
    public async Task Unsettled_readers_settle_in_ranges()
    {
        await using var peer = await AuthorizedAsync();
        await SendAsync(peer, "hub/Partitions/0", [.. Enumerable.Range(0, 50).Select(static i => $"{i}")]);
        var receiver = await peer.ReceiverAsync(Reader + "0", 50, sender: SenderSettleMode.Unsettled);
        for (var i = 0; i < 50; i++)
        {
            var delivery = await receiver.ReceiveAsync(Cancellation);
            Assert.False(delivery.Settled);
            receiver.Settle(delivery, Accepted.Instance);
        }

        await receiver.DetachAsync(null, Cancellation);
    }

    [Fact]
    public async Task A_newer_reader_of_the_same_owner_level_takes_the_partition()
    {
        await using var peer = await AuthorizedAsync();
        var old = await ReaderOfLevelAsync(peer, 5);
        var newer = await ReaderOfLevelAsync(peer, 5);
        Assert.Equal(ErrorCondition.LinkStolen, (await old.Completion)!.Condition.Value);
        Assert.True(newer.IsOpen);
    }

    [Theory]
    [InlineData(4L)]
    [InlineData(null)]
    public async Task A_reader_of_a_lower_owner_level_is_refused(long? level)
    {
        await using var peer = await AuthorizedAsync();
        var old = await ReaderOfLevelAsync(peer, 5);
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ReaderOfLevelAsync(peer, level));
        Assert.Equal(ErrorCondition.LinkStolen, refusal.Error.Condition.Value);
        Assert.True(old.IsOpen);
    }

    [Fact]
    public async Task Five_readers_without_owner_level_share_a_partition_until_one_with_a_level_attaches()
    {
        await using var peer = await AuthorizedAsync();
        var readers = new List<AmqpReceiver>();
        for (var i = 0; i < 5; i++)
        {
            readers.Add(await ReaderOfLevelAsync(peer, null));
        }

        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ReaderOfLevelAsync(peer, null));
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, refusal.Error.Condition.Value);
        await ReaderOfLevelAsync(peer, 0);
        foreach (var reader in readers)
        {
            Assert.Equal(ErrorCondition.LinkStolen, (await reader.Completion)!.Condition.Value);
        }
    }

    [Fact]
    public async Task A_consumer_group_that_does_not_exist_is_not_found()
    {
        await using var peer = await AuthorizedAsync();
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.ReceiverAsync("hub/ConsumerGroups/other/Partitions/0", 1));
        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
    }

    [Theory]
    [InlineData("4")]
    [InlineData("01")]
    [InlineData("-1")]
    [InlineData("boo")]
    public async Task A_partition_that_is_not_there_is_out_of_range_for_links_and_requests(string id)
    {
        const string text = "The specified partition is invalid for an EventHub partition sender or receiver. It should be between 0 and 3.";
        await using var peer = await AuthorizedAsync();
        foreach (var attach in new Func<Task>[] { () => peer.SenderAsync($"hub/Partitions/{id}"), () => peer.ReceiverAsync(Reader + id, 1) })
        {
            var refusal = await Assert.ThrowsAsync<AmqpException>(attach);
            Assert.Equal(AmqpNames.ArgumentOutOfRangeError, refusal.Error.Condition.Value);
            Assert.StartsWith(text, refusal.Error.Description, StringComparison.Ordinal);
        }

        var read = new AmqpMap
        {
            { "operation", "READ" },
            { "name", "hub" },
            { "type", "com.microsoft:partition" },
            { "partition", id },
        };
        var answer = (await peer.RequestAsync("$management", read, MessageBody.OfValue(null))).ApplicationProperties!;
        Assert.Equal((400, new AmqpSymbol(AmqpNames.ArgumentOutOfRangeError)), (answer["status-code"], answer["error-condition"]));
        Assert.StartsWith(text, answer.FindString("status-description"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_filter_that_is_not_understood_is_refused()
    {
        await using var peer = await AuthorizedAsync();
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => peer.ReceiverAsync(Reader + "0", 1, filter: Filter("color = 'red'")));
        Assert.Equal(AmqpNames.ArgumentError, refusal.Error.Condition.Value);
    }

    [Fact]
    public async Task An_unsupported_request_of_a_link_is_refused_by_its_name()
    {
        await using var peer = await AuthorizedAsync();
        var filter = Filter("amqp.annotation.x-opt-offset > '-1'");
        filter.Add(new AmqpSymbol("com.example:colour"), "red");
        await RefusedAsync("The filter 'com.example:colour' is not supported here.", () => peer.ReceiverAsync(Reader + "0", 1, filter: filter));
        var property = new AmqpMap { { new AmqpSymbol("com.microsoft:colour"), "red" } };
        await RefusedAsync("The link property 'com.microsoft:colour' is not supported here.", () => peer.ReceiverAsync(Reader + "0", 1, properties: property));
        var other = new AmqpMap { { new AmqpSymbol("product"), "mine" }, { new AmqpSymbol("com.microsoft:timeout"), 5_000u } };
        Assert.NotNull(await peer.ReceiverAsync(Reader + "0", 1, properties: other));

        static async Task RefusedAsync(string text, Func<Task> attach)
        {
            var refusal = await Assert.ThrowsAsync<AmqpException>(attach);
            Assert.Equal((ErrorCondition.NotImplemented, text), (refusal.Error.Condition.Value, refusal.Error.Description));
        }
    }

    internal static AmqpMap Filter(string selector, object? descriptor = null) =>
        new() { { new AmqpSymbol(AmqpNames.SelectorFilter), new AmqpDescribed(descriptor ?? AmqpNames.SelectorFilterCode, selector) } };

    private static AmqpMap Read(Peer peer, string type, string? partition = null)
    {
        var properties = new AmqpMap
        {
            { "operation", "READ" },
            { "name", "hub" },
            { "type", type },
            { "security_token", peer.Token("hub") },
        };
        if (partition is not null)
        {
            properties.Add("partition", partition);
        }

        return properties;
    }

    private static Task<AmqpReceiver> ReaderOfLevelAsync(Peer peer, long? level) =>
        peer.ReceiverAsync(Reader + "0", 1, properties: level is null ? null : new AmqpMap { { new AmqpSymbol(AmqpNames.Epoch), level.Value } });

    private static async Task SendAsync(Peer peer, string address, params string[] bodies)
    {
        var sender = await peer.SenderAsync(address);
        foreach (var body in bodies)
        {
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message(body), 0, Cancellation));
        }
    }

    private static async Task<List<AmqpMessage>> ReceiveAsync(AmqpReceiver receiver, int count)
    {
        var messages = new List<AmqpMessage>();
        while (messages.Count < count)
        {
            messages.Add(AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload));
        }

        return messages;
    }

    private async Task<Peer> AuthorizedAsync()
    {
        var peer = await Peer.ConnectAsync(EventHubs);
        Assert.Equal(202, await peer.PutTokenAsync("hub"));
        return peer;
    }
}
