using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

public sealed class EventDecoderTests
{
    private static readonly DateTimeOffset Time = new(2026, 11, 21, 7, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Reads_body_annotations_and_properties()
    {
        var properties = new AmqpMap() { { "n", 1 }, { "d", new AmqpDecimal(new byte[] { 1, 2, 3, 4 }) } };
        var read = Decode(Message(12L, "99", MessageBody.OfData(Encoding.UTF8.GetBytes("body")), properties));
        Assert.Equal(("7", 12L, "99", "key", "text/plain"), (read.PartitionId, read.SequenceNumber, read.Offset, read.PartitionKey, read.ContentType));
        Assert.Equal(Time, read.EnqueuedTime);
        Assert.Equal(EventBodyKind.Data, read.BodyKind);
        Assert.Equal("body", Encoding.UTF8.GetString(read.Body.Span));
        var map = new AmqpReader(read.EncodedProperties).ReadMap();
        Assert.Equal(1, map["n"]);
        Assert.Equal(properties["d"], map["d"]);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(5u)]
    [InlineData(5L)]
    [InlineData(5ul)]
    [InlineData((byte)5)]
    [InlineData((short)5)]
    public void Takes_sequence_numbers_and_offsets_of_any_width(object number)
    {
        var read = Decode(Message(number, number, MessageBody.OfData(default(ReadOnlyMemory<byte>)), null));
        Assert.Equal(5, read.SequenceNumber);
        Assert.Equal("5", read.Offset);
        Assert.True(read.Body.IsEmpty);
        Assert.True(read.EncodedProperties.IsEmpty);
    }

    [Fact]
    public void The_body_is_a_slice_of_the_received_bytes()
    {
        var payload = Message(1L, "1", MessageBody.OfData("abc"u8.ToArray()), null);
        var read = EventDecoder.Decode("7", payload);
        Assert.True(payload.AsSpan().Overlaps(read.Body.Span));
    }

    [Fact]
    public void Several_data_sections_are_one_body() =>
        Assert.Equal(
            "abcdef",
            Encoding.UTF8.GetString(Decode(Message(1L, "1", MessageBody.OfData("abc"u8.ToArray(), "de"u8.ToArray(), "f"u8.ToArray()), null)).Body.Span)
        );

    [Fact]
    public void A_value_body_passes_as_its_encoding()
    {
        var read = Decode(Message(1L, "1", MessageBody.OfValue("text"), null));
        Assert.Equal(EventBodyKind.Value, read.BodyKind);
        Assert.Equal("text", new AmqpReader(read.Body).ReadValue());
    }

    [Fact]
    public void Sequence_bodies_pass_as_their_sections()
    {
        var read = Decode(Message(1L, "1", MessageBody.OfSequence([1, "a"], [true]), null));
        Assert.Equal(EventBodyKind.Sequence, read.BodyKind);
        var sequences = AmqpMessage.Decode(read.Body).Body.Sequences;
        Assert.Equal([1, "a"], sequences[0]);
        Assert.Equal([true], sequences[1]);
    }

    [Fact]
    public void An_event_that_cannot_be_read_ends_the_reading()
    {
        var noNumber = Assert.Throws<MessagingException>(() => EventDecoder.Decode("7", new AmqpMessage { Body = MessageBody.OfValue(1) }.Encode()));
        Assert.Equal("an event of partition 7 has no sequence number", noNumber.Message);
        var garbage = Assert.Throws<MessagingException>(() => EventDecoder.Decode("7", new byte[] { 1, 2, 3 }));
        Assert.Equal(FailureKind.Permanent, garbage.Kind);
    }

    [Fact]
    public void An_event_whose_annotations_are_malformed_ends_the_reading()
    {
        // Descriptor of the annotations, then a map of one element: a key without a value.
        var oddMap = new byte[] { 0x00, 0x53, 0x72, 0xc1, 0x04, 0x01, 0xa3, 0x01, (byte)'a' };
        Assert.Equal(FailureKind.Permanent, Assert.Throws<MessagingException>(() => EventDecoder.Decode("7", oddMap)).Kind);
    }

    [Fact]
    public void Decoding_allocates_the_event_and_the_values_that_are_read()
    {
        var payload = Message(12L, "99", MessageBody.OfData(new byte[1_024]), new AmqpMap() { { "source", "station-17" }, { "number", 42L } });
        for (var i = 0; i < 100; i++)
        {
            EventDecoder.Decode("7", payload);
        }

        var before = GC.GetAllocatedBytesForCurrentThread();
        EventDecoder.Decode("7", payload);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 700);
    }

    private static ReceivedEvent Decode(byte[] payload) => EventDecoder.Decode("7", payload);

    private static byte[] Message(object sequenceNumber, object offset, MessageBody body, AmqpMap? properties) =>
        new AmqpMessage
        {
            Header = new MessageHeader { Durable = true },
            MessageAnnotations = new AmqpMap
            {
                { new AmqpSymbol(AmqpNames.SequenceNumber), sequenceNumber },
                { new AmqpSymbol(AmqpNames.Offset), offset },
                { new AmqpSymbol(AmqpNames.EnqueuedTime), AmqpTimestamp.From(Time) },
                { new AmqpSymbol(AmqpNames.PartitionKey), "key" },
            },
            Properties = new MessageProperties { ContentType = "text/plain" },
            ApplicationProperties = properties,
            Body = body,
        }
            .Encode()
            .ToArray();
}
