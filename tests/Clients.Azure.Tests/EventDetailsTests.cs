using System.Buffers;
using Azure.Core.Amqp;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.EventHubs;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Properties and identifiers of an event are those that the package gives, for both families.</summary>
public sealed class EventDetailsTests : EmulatedTests
{
    private static readonly object?[] Identifiers =
    [
        "text",
        "",
        7ul,
        ulong.MaxValue,
        Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
        new ReadOnlyMemory<byte>([1, 0xab]),
        null,
    ];

    [Theory(Timeout = Limit)]
    [InlineData(ClientFamily.Official)]
    [InlineData("builtin")]
    public async Task Events_that_the_package_sends_are_read_with_either_family(string family)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await using (var producer = new EventHubProducerClient(GetAddress(services.Settings.EventHub), services.Settings.EventHubName))
        {
            var full = new EventData("body")
            {
                MessageId = "message 1",
                CorrelationId = "order 2",
                ContentType = "application/json",
            };
            full.Properties["n"] = 42L;
            full.Properties["since"] = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);
            full.Properties["pause"] = TimeSpan.FromSeconds(3);
            await producer.SendAsync([full, new EventData("plain"), new EventData("last") { CorrelationId = "only" }], Token);
        }

        var clients = services.Connect(family == ClientFamily.Official ? OfficialClients.Family : ClientFamily.BuiltIn);
        var read = (await clients.ReadPartitionAsync("0", -1, 2, Token).ToListAsync(Token)).SelectMany(static batch => batch.Events).ToList();

        Assert.Equal([("message 1", "order 2", "application/json"), (null, null, null), (null, "only", null)], read.Select(GetIdentifiers));
        Assert.Equal(
            [("n", 42L), ("pause", TimeSpan.FromSeconds(3)), ("since", (object)new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero))],
            read[0].Properties.OrderBy(static one => one.Key, StringComparer.Ordinal).Select(static one => (one.Key, one.Value))
        );
        Assert.Same(read[0].Properties, read[0].Properties);
        Assert.Empty(read[1].Properties);
    }

    /// <summary>The table in the documentation of the member, for any value of each type.</summary>
    [Fact]
    public void Properties_of_every_type_are_those_of_the_package() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                PlainValues.Properties.ToArbitrary(),
                static sent =>
                {
                    var payload = Message(null, PlainProperties.Encode(sent));
                    var expected = PlainValues.Describe(SdkEvent(payload).Properties!);
                    Assert.Equal(expected, PlainValues.Describe(EventDecoder.Decode("0", payload).Properties));
                    Assert.Equal(expected, PlainValues.Describe(Official(payload).Properties));
                }
            )
        );

    [Fact]
    public void Identifiers_of_every_type_are_those_of_the_package() =>
        Assert.All(
            from message in Identifiers
            from correlation in Identifiers
            select new MessageProperties
            {
                MessageId = message,
                CorrelationId = correlation,
                ContentType = "text/plain",
            },
            static section =>
            {
                var payload = Message(section, default);
                var sdk = SdkEvent(payload);
                var expected = (sdk.MessageId, sdk.CorrelationId, sdk.ContentType);
                Assert.Equal(expected, GetIdentifiers(EventDecoder.Decode("0", payload)));
                Assert.Equal(expected, GetIdentifiers(Official(payload)));
            }
        );

    [Fact]
    public void An_event_without_identifiers_costs_the_official_family_nothing_more()
    {
        var plain = AllocatedFor(null);
        Assert.Equal(plain, AllocatedFor(new MessageProperties { ContentType = "text/plain" }));
        Assert.InRange(AllocatedFor(new MessageProperties { MessageId = "m" }) - plain, 1, 32);
    }

    private static string GetAddress(MessagingConnectionString hub) =>
        $"Endpoint=sb://{hub.Host}:{hub.Port};SharedAccessKeyName={hub.KeyName};SharedAccessKey={hub.Key};UseDevelopmentEmulator=true";

    private static (string?, string?, string?) GetIdentifiers(ReceivedEvent one) => (one.MessageId, one.CorrelationId, one.ContentType);

    private static long AllocatedFor(MessageProperties? section)
    {
        EventData[] delivered = [SdkEvent(Message(section, default))];
        EventConversion.ToBatch("0", delivered);
        var before = GC.GetAllocatedBytesForCurrentThread();
        EventConversion.ToBatch("0", delivered);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static ReceivedEvent Official(ReadOnlyMemory<byte> payload) => EventConversion.ToBatch("0", [SdkEvent(payload)])!.Events[0];

    private static EventData SdkEvent(ReadOnlyMemory<byte> payload) => new(AmqpAnnotatedMessage.FromBytes(BinaryData.FromBytes(payload)));

    private static ReadOnlyMemory<byte> Message(MessageProperties? section, ReadOnlyMemory<byte> properties)
    {
        var message = new ArrayBufferWriter<byte>();
        new AmqpMessage
        {
            MessageAnnotations = new AmqpMap { { new AmqpSymbol(AmqpNames.SequenceNumber), 12L }, { new AmqpSymbol(AmqpNames.Offset), "99" } },
            Properties = section,
        }.Encode(message);
        MessageWriter.WriteEncodedProperties(message, properties);
        MessageWriter.WriteBody(message, EventBodyKind.Data, "body"u8.ToArray());
        return message.WrittenMemory;
    }
}
