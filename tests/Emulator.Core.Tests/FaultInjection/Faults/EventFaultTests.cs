using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Journal;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

/// <summary>What befalls events, links, requests and connections of the messaging endpoints.</summary>
public sealed class EventFaultTests : FaultyEmulator
{
    private const string Reader = "hub/ConsumerGroups/$Default/Partitions/0";

    [Fact]
    public async Task An_appended_transfer_whose_answer_is_lost_is_there()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        var sender = await peer.SenderAsync("hub/Partitions/0");
        Arm("""{"name":"F11-events","every":1}""");
        await Assert.ThrowsAsync<AmqpException>(() => SendAsync(sender, "a"));
        Assert.Equal(0, Assert.Single(AfterFault("eventSend", "loseAnswer").OfType<EventAppended>()).Sequence);
    }

    [Fact]
    public async Task A_duplicated_transfer_is_appended_twice()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        var sender = await peer.SenderAsync("hub/Partitions/0");
        Arm("""{"name":"own","at":"eventSend","do":"duplicate","partition":"0"}""");
        Assert.IsType<Accepted>(await SendAsync(sender, "a"));
        Assert.Equal([0L, 1L], AfterFault("eventSend", "duplicate").OfType<EventAppended>().Select(static record => record.Sequence));
    }

    [Fact]
    public async Task A_busy_hub_rejects_with_the_error_of_the_service()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        Arm("""{"name":"own","at":"eventSend","do":"refuse","reason":"busy"}""");
        var rejected = Assert.IsType<Rejected>(await SendAsync(await peer.SenderAsync("hub/Partitions/0"), "a"));
        Assert.Equal(AmqpNames.ServerBusyError, rejected.Error!.Condition.Value);
        Assert.Contains("Error code : 50002. Please wait 4 seconds", rejected.Error.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Throughput_units_refuse_what_is_too_much_and_say_so()
    {
        Host.FaultInjection.Use(
            LatencyProfiles.None with
            {
                EventHubsQuota = new RateQuota
                {
                    EventsPerSecond = 0.01,
                    BurstSeconds = 100,
                    AdviseSeconds = 7,
                },
            }
        );
        await using var peer = await ConnectAsync(EventHubs, "hub");
        var sender = await peer.SenderAsync("hub/Partitions/0");
        Assert.IsType<Accepted>(await SendAsync(sender, "a"));
        var rejected = Assert.IsType<Rejected>(await SendAsync(sender, "b"));
        Assert.Equal(AmqpNames.ServerBusyError, rejected.Error!.Condition.Value);
        Assert.Contains("Please wait 7 seconds", rejected.Error.Description, StringComparison.Ordinal);
        Assert.Single(Journal.OfType<EventAppended>());
        Assert.Equal(1, Host.Observed.Single(static row => row.Operation == EmulatedOperation.EventSend).Throttles);
    }

    [Theory]
    [InlineData("steal", "", "amqp:link:stolen")]
    [InlineData("detach", ",\"reason\":\"expired\"", "amqp:unauthorized-access")]
    public async Task A_reader_may_lose_its_partition_or_link(string action, string reason, string condition)
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        await SendAsync(await peer.SenderAsync("hub/Partitions/0"), "a");
        Arm($$"""{"name":"own","at":"eventDeliver","do":"{{action}}"{{reason}},"limit":1}""");
        var receiver = await peer.ReceiverAsync(Reader, 10);
        Assert.Equal(condition, (await receiver.Completion)!.Condition.Value);
        var again = await peer.ReceiverAsync(Reader, 10);
        await again.ReceiveAsync(Cancellation);
        Assert.Contains(AfterFault("eventDeliver", action), static record => record is EventDelivered);
    }

    [Theory]
    [InlineData("steal")]
    [InlineData("detach")]
    [InlineData("drop")]
    public async Task Events_that_a_lost_reader_did_not_get_are_not_recorded_as_delivered(string action)
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        var sender = await peer.SenderAsync("hub/Partitions/0");
        for (var i = 0; i < 10; i++)
        {
            await SendAsync(sender, "a");
        }

        Arm($$"""{"name":"own","at":"eventDeliver","do":"{{action}}","nth":4}""");
        await (await AskingReaderAsync(peer)).Completion;
        Assert.Equal([0L, 1L, 2L], Journal.OfType<EventDelivered>().Select(static record => record.Sequence));
    }

    [Fact]
    public async Task An_event_may_be_delivered_twice_and_both_are_recorded()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        await SendAsync(await peer.SenderAsync("hub/Partitions/0"), "a");
        Arm("""{"name":"redelivery","every":1}""");
        var receiver = await peer.ReceiverAsync(Reader, 10);
        var first = await receiver.ReceiveAsync(Cancellation);
        var second = await receiver.ReceiveAsync(Cancellation);
        Assert.Equal(first.Payload.ToArray(), second.Payload.ToArray());
        Assert.Equal(2, Journal.OfType<EventDelivered>().Count(static record => record.Sequence == 0));
    }

    [Fact]
    public async Task A_dropped_connection_takes_its_reader_along()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        await SendAsync(await peer.SenderAsync("hub/Partitions/0"), "a");
        Arm("""{"name":"own","at":"eventDeliver","do":"drop"}""");
        await AskingReaderAsync(peer);
        await peer.Connection.Completion;
        Assert.Equal("hub/$Default/0/0", Journal.OfType<FaultInjected>().Single().Target);
    }

    [Fact]
    public async Task A_link_may_be_refused()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        Arm("""{"name":"F8b","entity":"hub"}""");
        var failure = await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("hub/Partitions/0"));
        Assert.Equal(ErrorCondition.NotFound, failure.Error.Condition.Value);
        Assert.Empty(AfterFault("attach", "refuse"));
    }

    [Fact]
    public async Task A_token_may_be_refused_as_expired()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        Arm("""{"name":"no-token","limit":1}""");
        Assert.Equal(401, await peer.PutTokenAsync("hub"));
        Assert.InRange(await peer.PutTokenAsync("hub"), 200, 202);
        Assert.Single(Journal.OfType<FaultInjected>());
    }

    [Fact]
    public async Task A_request_may_be_answered_with_an_error()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        Arm("""{"name":"own","at":"hubManagement","do":"refuse","reason":"busy","limit":1}""");
        var properties = new AmqpMap
        {
            { "operation", "READ" },
            { "name", "hub" },
            { "type", "com.microsoft:eventhub" },
        };
        var refused = await peer.RequestAsync("$management", properties, MessageBody.OfValue(null));
        Assert.Equal(503, refused.ApplicationProperties!["status-code"]);
        Assert.Equal(200, (await peer.RequestAsync("$management", properties, MessageBody.OfValue(null))).ApplicationProperties!["status-code"]);
    }

    [Fact]
    public async Task A_request_is_about_the_hub_and_partition_that_it_names()
    {
        await using var peer = await ConnectAsync(EventHubs, "hub");
        Arm("""{"name":"own","at":"hubManagement","do":"refuse","entity":"hub","partition":"1"}""");
        Assert.Equal(200, await StatusAsync("0"));
        Assert.Equal(503, await StatusAsync("1"));
        Assert.Equal("hub/1", Assert.Single(Journal.OfType<FaultInjected>()).Target);

        async Task<object> StatusAsync(string partition)
        {
            var properties = new AmqpMap
            {
                { "operation", "READ" },
                { "name", "hub" },
                { "type", "com.microsoft:partition" },
                { "partition", partition },
            };
            return (await peer.RequestAsync("$management", properties, MessageBody.OfValue(null))).ApplicationProperties!["status-code"]!;
        }
    }

    [Theory]
    [InlineData("""{"name":"own","at":"connect","do":"refuse","service":"eventhubs","limit":1}""")]
    [InlineData("""{"name":"own","at":"connect","do":"drop","afterBytes":100,"service":"eventhubs","limit":1}""")]
    [InlineData("""{"name":"own","at":"connect","do":"blackHole","ms":20,"service":"eventhubs","limit":1}""")]
    public async Task A_connection_may_come_to_nothing_and_the_next_one_lives(string fault)
    {
        Arm(fault);
        await Assert.ThrowsAsync<AmqpException>(() => ConnectAsync(EventHubs, "hub"));
        await using var peer = await ConnectAsync(EventHubs, "hub");
        Assert.Equal("eventhubs", Journal.OfType<FaultInjected>().Single().Target);
    }

    [Fact]
    public async Task A_slow_connection_works_all_the_same()
    {
        Arm("""{"name":"own","at":"connect","do":"slow","bytesPerSecond":20000,"limit":1}""");
        await using var peer = await ConnectAsync(EventHubs, "hub");
        Assert.IsType<Accepted>(await SendAsync(await peer.SenderAsync("hub/Partitions/0"), "a"));
        Assert.Equal("slow", Journal.OfType<FaultInjected>().Single().Action);
    }

    // Asks for events when its attach has been answered: a connection that is dropped at the first event may take that answer along.
    private static async Task<AmqpReceiver> AskingReaderAsync(Peer peer)
    {
        var receiver = await peer.ReceiverAsync(Reader, 0);
        receiver.AddCredit(10);
        return receiver;
    }

    private static Task<DeliveryState> SendAsync(AmqpSender sender, string body) => sender.SendAsync(Encoded.Message(body), 0, Cancellation).AsTask();
}
