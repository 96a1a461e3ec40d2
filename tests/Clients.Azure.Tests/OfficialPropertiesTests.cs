using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>What becomes of properties that others have sent and the package shows as .NET values, or cannot show.</summary>
public sealed class OfficialPropertiesTests : EmulatedTests
{
    private const string NotCarried = "application property 'odd' is of type {0}, which the packages do not carry";
    private const string Refused = "event 1 of partition 0: application property 'odd' is of type {0}, which the packages do not carry";

    private static readonly Dictionary<string, object> Values = new(StringComparer.Ordinal)
    {
        ["list"] = new AmqpList { 1, "two" },
        ["array"] = AmqpArray.Of([1L, 2L]),
        ["map"] = new AmqpMap { { "k", 1 } },
        ["decimal32"] = new AmqpDecimal(new byte[4]),
        ["decimal64"] = new AmqpDecimal(new byte[8]),
        ["described 'own'"] = new AmqpDescribed(new AmqpSymbol("own"), 1L),
    };

    [Theory(Timeout = Limit)]
    [InlineData("list", Refused)]
    [InlineData("array", Refused)]
    // The package itself cannot turn such an event into its own, and does not say which property it was.
    [InlineData(
        "map",
        ": an event has an application property that the package does not carry: Serialization operation failed due to unsupported type Microsoft.Azure.Amqp.Encoding.AmqpMap."
    )]
    public async Task An_event_that_would_lose_a_property_ends_the_processor_and_any_reading(string type, string expected)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await SendAroundAsync(services, Values[type]);
        var clients = services.Connect(OfficialClients.Family);
        var recorder = new RecordingPartitions(checkpoints: true);
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);

        var ended = await Assert.ThrowsAsync<MessagingException>(() => running.Task);
        var read = await Assert.ThrowsAsync<MessagingException>(() => clients.ReadPartitionAsync("0", -1, 2, Token).ToListAsync(Token).AsTask());

        Assert.All(
            [ended, read],
            failure =>
            {
                Assert.Equal(FailureKind.Permanent, failure.Kind);
                Assert.EndsWith(expected.Replace("{0}", type, StringComparison.Ordinal), failure.Message, StringComparison.Ordinal);
                Assert.Contains("partition 0", failure.Message, StringComparison.Ordinal);
                Assert.DoesNotContain('\n', failure.Message);
            }
        );
        Assert.DoesNotContain(recorder.Events, static one => one.SequenceNumber > 0);
        Assert.NotEqual(2, (await clients.CheckpointStore.ReadCheckpointAsync("0", Token))?.Position.SequenceNumber);
    }

    [Theory(Timeout = Limit)]
    [InlineData("decimal32")]
    [InlineData("decimal64")]
    public async Task An_event_that_the_package_cannot_decode_stops_a_reading_and_nothing_after_it_is_given(string type)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await SendAroundAsync(services, Values[type]);
        var clients = services.Connect(
            OfficialClients.Family,
            retry: EmulatedServices.ShortRetries with
            {
                OperationTimeout = TimeSpan.FromSeconds(2),
                TryTimeout = TimeSpan.FromSeconds(1),
            }
        );
        List<long> given = [];

        var failure = await Assert.ThrowsAsync<MessagingException>(async () =>
        {
            await foreach (var batch in clients.ReadPartitionAsync("0", -1, 2, Token))
            {
                given.AddRange(batch.Events.Select(static one => one.SequenceNumber));
            }
        });

        Assert.Equal(FailureKind.Unreachable, failure.Kind);
        Assert.DoesNotContain(given, static sequence => sequence > 0);
    }

    [Fact(Timeout = Limit)]
    public async Task A_symbol_arrives_as_a_string()
    {
        var received = await ReceiveAsync(new AmqpSymbol("text"));

        Assert.Equal(new KeyValuePair<string, object?>("odd", "text"), Assert.Single(EncodedProperties.Decode(received.EncodedProperties)));
    }

    [Fact(Timeout = Limit)]
    public async Task A_described_value_of_an_unknown_type_is_missing_from_the_event_that_is_received()
    {
        var received = await ReceiveAsync(new AmqpDescribed(new AmqpSymbol("own"), 1L));

        Assert.True(received.EncodedProperties.IsEmpty);
    }

    [Fact(Timeout = Limit)]
    public async Task A_time_before_1970_is_received_as_the_start_of_1970()
    {
        var received = await ReceiveAsync(new AmqpTimestamp(-5));

        Assert.Equal(new AmqpTimestamp(0), Assert.Single(EncodedProperties.Decode(received.EncodedProperties)).Value);
    }

    [Fact(Timeout = Limit)]
    public async Task A_time_far_in_the_future_is_sent_a_millisecond_too_early()
    {
        var latest = new DateTimeOffset(9999, 12, 31, 23, 59, 59, 999, TimeSpan.Zero);

        var received = await SendAsync(latest);

        Assert.Equal(new AmqpTimestamp(latest.ToUnixTimeMilliseconds() - 1), Assert.Single(EncodedProperties.Decode(received.EncodedProperties)).Value);
    }

    [Fact(Timeout = Limit)]
    public async Task A_decimal_is_sent_with_an_exponent_that_is_too_small_by_4608()
    {
        var received = await SendAsync(1.5m);

        var sent = Assert.IsType<AmqpDecimal>(Assert.Single(EncodedProperties.Decode(received.EncodedProperties)).Value);
        Assert.Equal("0C3E000000000000000000000000000F", Convert.ToHexString(sent.Bytes.Span));
    }

    [Fact(Timeout = Limit)]
    public async Task An_address_is_sent_in_its_canonical_form()
    {
        var received = await SendAsync(new Uri("http://example.org/é"));

        Assert.Equal("http://example.org/%C3%A9", Assert.IsType<Uri>(Assert.Single(PlainProperties.Decode(received.EncodedProperties)).Value).OriginalString);
    }

    [Theory(Timeout = Limit)]
    [InlineData("list")]
    [InlineData("array")]
    [InlineData("map")]
    [InlineData("decimal32")]
    [InlineData("decimal64")]
    [InlineData("described 'own'")]
    public async Task An_event_that_would_lose_a_property_is_not_sent_but_refused_for_good(string type)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.Connect(OfficialClients.Family);
        await using var writer = clients.CreateEventHubWriter();
        await using var buffered = clients.CreateBufferedEventWriter();
        var batch = await writer.CreateBatchAsync(null, "0", Token);
        var odd = Odd(Values[type]);

        MessagingException[] refused =
        [
            Assert.Throws<MessagingException>(() => batch.TryAdd(odd)),
            await Assert.ThrowsAsync<MessagingException>(() => buffered.AddAsync(odd, null, static _ => { }, Token)),
        ];

        Assert.All(refused, one => Assert.Equal((FailureKind.Permanent, NotCarried.Replace("{0}", type, StringComparison.Ordinal)), (one.Kind, one.Message)));
        Assert.Equal(0, batch.Count);
    }

    [Fact(Timeout = Limit)]
    public async Task A_symbol_is_sent_as_a_string()
    {
        var received = await SendAsync(new AmqpSymbol("text"));

        Assert.Equal(new KeyValuePair<string, object?>("odd", "text"), Assert.Single(EncodedProperties.Decode(received.EncodedProperties)));
    }

    private static OutgoingEvent Odd(object value) =>
        Event("odd") with
        {
            Properties = new Dictionary<string, object?>(StringComparer.Ordinal) { ["odd"] = value },
        };

    // Sent by the built-in clients, received by the packages.
    private static async Task<ReceivedEvent> ReceiveAsync(object value)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await SendAroundAsync(services, value);
        return await ReadAsync(services.Connect(OfficialClients.Family), 1, 2);
    }

    // Sent by the packages, received by the built-in clients, which show what was on the wire.
    private static async Task<ReceivedEvent> SendAsync(object value)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await using var writer = services.Connect(OfficialClients.Family).CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(null, "0", Token);
        Assert.True(batch.TryAdd(Odd(value)));
        await writer.SendAsync(batch, Token);
        return await ReadAsync(services.CreateClients(), 0, 0);
    }

    private static async Task<ReceivedEvent> ReadAsync(IMessagingClients clients, long wanted, long through)
    {
        var read = await clients.ReadPartitionAsync("0", -1, through, Token).ToListAsync(Token);
        return Assert.Single(read.SelectMany(static batch => batch.Events), one => one.SequenceNumber == wanted);
    }

    // Event 1 has the property, those around it have none.
    private static async Task SendAroundAsync(EmulatedServices services, object value)
    {
        await using var clients = new BuiltInClients(services.Settings, new BuiltInClientOptions());
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(null, "0", Token);
        Assert.True(batch.TryAdd(Event("before")));
        Assert.True(batch.TryAdd(Odd(value)));
        Assert.True(batch.TryAdd(Event("after")));
        await writer.SendAsync(batch, Token);
    }
}
