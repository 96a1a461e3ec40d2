using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Emulated;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Official;

/// <summary>What becomes of properties that others have sent and the package shows as .NET values, or cannot show.</summary>
public sealed class OfficialPropertiesTests : EmulatedTests
{
    private const string Refused = "event 1 of partition 0: application property 'odd' is of type {0}, which the packages do not carry";

    private static readonly Dictionary<string, object> Values = new(StringComparer.Ordinal)
    {
        ["list"] = new AmqpList { 1, "two" },
        ["array"] = AmqpArray.Of([1L, 2L]),
        ["map"] = new AmqpMap { { "k", 1 } },
        ["decimal32"] = new AmqpDecimal(new byte[4]),
        ["decimal64"] = new AmqpDecimal(new byte[8]),
    };

    [Theory(Timeout = Limit)]
    [InlineData("list", Refused)]
    [InlineData("array", Refused)]
    // The package itself cannot turn such an event into its own, and does not say which property it was.
    [InlineData(
        "map",
        "application property that the package does not carry: Serialization operation failed due to unsupported type Microsoft.Azure.Amqp.Encoding.AmqpMap."
    )]
    public async Task An_event_that_would_lose_a_property_ends_the_processor_and_any_reading(string type, string expected)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await SendAroundAsync(services, Values[type]);
        var clients = services.Connect(OfficialClients.Family);
        var recorder = new RecordingPartitions(checkpoints: true);
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);

        var ended = await Assert.ThrowsAsync<MessagingException>(() => running.Task);
        var read = await Assert.ThrowsAsync<MessagingException>(() => clients.ReadPartitionAsync("0", 2, Token).ToListAsync(Token).AsTask());

        Assert.All(
            [ended, read],
            failure =>
            {
                Assert.Equal(FailureKind.Permanent, failure.Kind);
                Assert.EndsWith(expected.Replace("{0}", type, StringComparison.Ordinal), failure.Message, StringComparison.Ordinal);
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
            await foreach (var batch in clients.ReadPartitionAsync("0", 2, Token))
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
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await SendAroundAsync(services, new AmqpSymbol("text"));

        var read = await services.Connect(OfficialClients.Family).ReadPartitionAsync("0", 2, Token).ToListAsync(Token);

        var received = Assert.Single(read.SelectMany(static batch => batch.Events), static one => one.SequenceNumber == 1);
        Assert.Equal(new KeyValuePair<string, object?>("odd", "text"), Assert.Single(EncodedProperties.Decode(received.EncodedProperties)));
    }

    // Event 1 has the property, those around it have none.
    private static async Task SendAroundAsync(EmulatedServices services, object value)
    {
        await using var clients = new BuiltInClients(services.Settings, new BuiltInClientOptions());
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(null, "0", Token);
        Assert.True(batch.TryAdd(Event("before")));
        Assert.True(batch.TryAdd(Event("odd") with { Properties = new Dictionary<string, object?> { ["odd"] = value } }));
        Assert.True(batch.TryAdd(Event("after")));
        await writer.SendAsync(batch, Token);
    }
}
