using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

/// <summary>What the built-in clients decode of an event only when it is read.</summary>
public sealed class EventDetailsTests
{
    public static TheoryData<object?, string?> Identifiers() =>
        new()
        {
            { "text", "text" },
            { "", "" },
            { 7ul, "7" },
            { ulong.MaxValue, "18446744073709551615" },
            { Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), "00112233-4455-6677-8899-aabbccddeeff" },
            { new byte[] { 1, 0xab }, "01AB" },
            { null, null },
        };

    [Theory]
    [MemberData(nameof(Identifiers))]
    public void An_identifier_of_any_type_is_read_as_text(object? sent, string? expected)
    {
        var identifier = sent is byte[] bytes ? new ReadOnlyMemory<byte>(bytes) : sent;
        var both = Read(new MessageProperties { MessageId = identifier, CorrelationId = identifier });
        var one = Read(new MessageProperties { CorrelationId = identifier, ContentType = "text/plain" });
        var message = MessageDecoder.Decode(Message(new MessageProperties { MessageId = identifier }, null));

        Assert.Equal((expected, expected), (both.MessageId, both.CorrelationId));
        Assert.Equal((null, expected, "text/plain"), (one.MessageId, one.CorrelationId, one.ContentType));
        Assert.Equal(expected ?? "", message.MessageId);
    }

    [Fact]
    public void An_event_without_a_properties_section_has_no_identifiers()
    {
        var read = Read(null);
        Assert.Equal((null, null), (read.MessageId, read.CorrelationId));
        Assert.Empty(read.Properties);
    }

    [Fact]
    public void An_identifier_of_a_wrong_type_fails_when_it_is_read_and_names_the_event()
    {
        // In place of the string "m" the symbol "m", which is not an identifier.
        var wrong = Message(new MessageProperties { MessageId = "m" }, null);
        wrong[wrong.AsSpan().IndexOf(new byte[] { 0xa1, 0x01, (byte)'m' })] = 0xa3;
        var read = EventDecoder.Decode("7", wrong);

        var refused = Assert.Throws<MessagingException>(() => read.MessageId);

        Assert.Equal(FailureKind.Permanent, refused.Kind);
        Assert.StartsWith("event 12 of partition 7: its message-id cannot be read: ", refused.Message, StringComparison.Ordinal);
        Assert.Null(read.CorrelationId);
    }

    [Fact]
    public void The_properties_are_decoded_once()
    {
        var read = Read(null, new AmqpMap { { "n", 1 }, { "b", new ReadOnlyMemory<byte>([1]) } });
        var first = read.Properties;
        Assert.Equal(1, first["n"]);
        Assert.Same(first, read.Properties);
        Assert.Same(first["b"], read.Properties["b"]);
    }

    [Fact]
    public async Task Threads_that_race_get_the_same_properties()
    {
        for (var round = 0; round < 200; round++)
        {
            var read = Read(new MessageProperties { MessageId = "m" }, new AmqpMap { { "n", round } });
            using var start = new Barrier(2);
            var all = await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Task.Run(ReadTogether, TestContext.Current.CancellationToken)));
            Assert.Same(all[0], all[1]);
            Assert.Equal("m", read.MessageId);

            IReadOnlyDictionary<string, object?> ReadTogether()
            {
                start.SignalAndWait();
                return read.Properties;
            }
        }
    }

    [Fact]
    public void A_reader_that_was_overtaken_before_it_decodes_returns_the_same_properties()
    {
        var details = new OvertakenDetails();
        var read = new ReceivedEvent
        {
            PartitionId = "7",
            SequenceNumber = 12,
            Offset = "12",
            Body = default,
            EncodedProperties = new byte[] { 0xc1, 0x01, 0x00 },
            Details = details,
        };
        details.Other = () => read.Properties;

        var late = read.Properties;

        Assert.Same(details.OfOther, late);
        Assert.Same(late, read.Properties);
    }

    [Fact]
    public void A_property_without_a_plain_form_fails_with_event_name_type_and_what_is_allowed()
    {
        var read = Read(
            null,
            new AmqpMap
            {
                { "fine", 1 },
                {
                    "odd",
                    new AmqpList { 1 }
                },
            }
        );

        var refused = Assert.Throws<MessagingException>(() => read.Properties);

        Assert.Equal(
            "event 12 of partition 7: application property 'odd' is of type list, which the packages do not carry; "
                + "allowed are null, boolean, string, symbol, char up to U+FFFF, integers, float, double, decimal128 within .NET's decimal, uuid, binary, "
                + "timestamp, com.microsoft:timespan, com.microsoft:datetime-offset and com.microsoft:uri",
            refused.Message
        );
        Assert.Equal(FailureKind.Permanent, refused.Kind);
    }

    /// <summary>Any bytes: a dictionary or one kind of failure, with memory in proportion to the bytes.</summary>
    [Fact]
    public void Hostile_properties_give_a_dictionary_or_a_failure_that_names_the_event() =>
        Check.One(
            PropertyCases.Times(10),
            Prop.ForAll(
                Gen.Choose(0, 1_000_000).ToArbitrary(),
                static (int seed) =>
                {
                    var random = new Random(seed);
                    var encoded = Encode(
                        new AmqpMap
                        {
                            { "text", "value" },
                            { "time", new AmqpDescribed(new AmqpSymbol("com.microsoft:datetime-offset"), 5L) },
                            { "address", new AmqpDescribed(new AmqpSymbol("com.microsoft:uri"), "http://example.org") },
                            {
                                "list",
                                new AmqpList { 1, AmqpArray.Of([1L, 2L]) }
                            },
                            { "number", new AmqpDecimal(new byte[16]) },
                        }
                    );
                    if (random.Next(4) == 0)
                    {
                        random.NextBytes(encoded);
                    }

                    for (var changes = random.Next(1, 6); changes > 0; changes--)
                    {
                        encoded[random.Next(encoded.Length)] = (byte)random.Next(256);
                    }

                    var ticks = encoded.AsSpan().IndexOf("datetime-offset"u8) + "datetime-offset".Length;
                    if (random.Next(4) == 0)
                    {
                        // A long of eight bytes in place of one, before any following bytes.
                        encoded[ticks] = 0x81;
                    }

                    var read = WithProperties(encoded.AsMemory(0, random.Next(encoded.Length + 1)));
                    var before = GC.GetAllocatedBytesForCurrentThread();
                    var failure = Record.Exception(() => read.Properties);
                    Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1_024);
                    Assert.True(
                        failure is null or MessagingException { Kind: FailureKind.Permanent }
                            && failure?.Message.StartsWith("event 12 of", StringComparison.Ordinal) != false,
                        failure?.ToString()
                    );
                }
            )
        );

    [Theory]
    [InlineData("d1ffffffff7fffffff")]
    [InlineData("d1000000057fffffff00")]
    [InlineData("f1ffffffff7fffffff")]
    [InlineData("c1030ff0ff")]
    [InlineData("00")]
    [InlineData("40")]
    public void Lengths_beyond_the_bytes_are_refused_before_anything_is_made_of_their_size(string bytes)
    {
        var read = WithProperties(Convert.FromHexString(bytes));
        var before = GC.GetAllocatedBytesForCurrentThread();
        var refused = Assert.Throws<MessagingException>(() => read.Properties);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1_024);
        Assert.StartsWith("event 12 of partition 7: the application properties are not one AMQP map", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>A content type is one string of one letter, 24 bytes. Beside it: nothing for members that are absent, one small object for identifiers that are not read.</summary>
    [Fact]
    public void Members_that_are_not_read_cost_at_most_one_small_object()
    {
        var without = AllocatedFor(null);
        var withType = AllocatedFor(new MessageProperties { ContentType = "t" });
        var withIdentifiers = AllocatedFor(new MessageProperties { MessageId = new string('m', 1_000), CorrelationId = new string('c', 1_000) });

        Assert.Equal(24, withType - without);
        Assert.InRange(withIdentifiers - without, 1, 40);
    }

    [Fact]
    public void An_event_has_112_bytes()
    {
        Make();
        var before = GC.GetAllocatedBytesForCurrentThread();
        var made = Make();
        Assert.Equal(112, GC.GetAllocatedBytesForCurrentThread() - before);
        GC.KeepAlive(made);

        static ReceivedEvent Make() =>
            new()
            {
                PartitionId = "0",
                SequenceNumber = 1,
                Offset = "1",
                Body = default,
            };
    }

    private static long AllocatedFor(MessageProperties? section)
    {
        var payload = Message(section, new AmqpMap { { "source", "station-17" }, { "number", 42L } });
        EventDecoder.Decode("7", payload);
        var before = GC.GetAllocatedBytesForCurrentThread();
        EventDecoder.Decode("7", payload);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static ReceivedEvent WithProperties(ReadOnlyMemory<byte> encoded) =>
        new()
        {
            PartitionId = "7",
            SequenceNumber = 12,
            Offset = "1",
            Body = default,
            EncodedProperties = encoded,
            Details = EncodedDetails.None,
        };

    private static ReceivedEvent Read(MessageProperties? section, AmqpMap? properties = null) => EventDecoder.Decode("7", Message(section, properties));

    private static byte[] Message(MessageProperties? section, AmqpMap? properties) =>
        new AmqpMessage
        {
            MessageAnnotations = new AmqpMap { { new AmqpSymbol(AmqpNames.SequenceNumber), 12L }, { new AmqpSymbol(AmqpNames.Offset), "99" } },
            Properties = section,
            ApplicationProperties = properties,
            Body = MessageBody.OfData("body"u8.ToArray()),
        }
            .Encode()
            .ToArray();

    private static byte[] Encode(AmqpMap map)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(buffer);
        writer.WriteMap(map);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Another reader reads the properties after this one saw that they are not decoded.</summary>
    private sealed class OvertakenDetails : EventDetails
    {
        private bool overtaken;

        public Func<IReadOnlyDictionary<string, object?>>? Other { get; set; }

        public IReadOnlyDictionary<string, object?>? OfOther { get; private set; }

        public override IReadOnlyDictionary<string, object?>? Decoded
        {
            get
            {
                if (!overtaken)
                {
                    overtaken = true;
                    OfOther = Other?.Invoke();
                }

                return null;
            }
        }

        public override IReadOnlyDictionary<string, object?> DecodeProperties(ReadOnlyMemory<byte> encoded) =>
            new Dictionary<string, object?>(StringComparer.Ordinal);
    }
}
