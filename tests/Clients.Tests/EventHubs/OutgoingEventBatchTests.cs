using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

public sealed class OutgoingEventBatchTests
{
    [Fact]
    public void An_empty_batch_has_no_payload()
    {
        var batch = new OutgoingEventBatch("key", null, 1000);
        Assert.Equal(0, batch.Count);
        Assert.Equal(0, batch.SizeInBytes);
    }

    [Fact]
    public void A_single_event_is_a_plain_message()
    {
        var batch = new OutgoingEventBatch("key", null, 1000);
        Assert.True(batch.TryAdd(Event("one")));
        Assert.Equal(0u, batch.MessageFormat);
        var message = AmqpMessage.Decode(batch.Payload);
        Assert.Equal("one", Text(message));
        Assert.Equal("key", message.MessageAnnotations?.FindString(AmqpNames.PartitionKey));
        Assert.Equal("text/plain", message.Properties?.ContentType);
        Assert.Equal(batch.Payload.Length, batch.SizeInBytes);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(40)]
    public void Several_events_are_data_sections_in_an_envelope_that_repeats_the_key(int count)
    {
        var batch = new OutgoingEventBatch("key", null, 100_000);
        for (var index = 0; index < count; index++)
        {
            Assert.True(batch.TryAdd(Event($"{index}{new string('x', 20 * index)}")));
        }

        Assert.Equal(AmqpNames.BatchFormat, batch.MessageFormat);
        var envelope = AmqpMessage.Decode(batch.Payload);
        Assert.Equal("key", envelope.MessageAnnotations?.FindString(AmqpNames.PartitionKey));
        AmqpMessage[] inner = [.. envelope.Body.Data.Select(static section => AmqpMessage.Decode(section))];
        Assert.Equal(count, inner.Length);
        Assert.All(
            inner,
            static (message, index) =>
            {
                Assert.Equal($"{index}{new string('x', 20 * index)}", Text(message));
                Assert.Equal("key", message.MessageAnnotations?.FindString(AmqpNames.PartitionKey));
            }
        );
    }

    [Fact]
    public void A_batch_without_a_key_has_an_envelope_without_annotations()
    {
        var batch = new OutgoingEventBatch(null, "3", 1000);
        Assert.True(batch.TryAdd(Event("a")));
        Assert.True(batch.TryAdd(Event("b")));
        Assert.Null(AmqpMessage.Decode(batch.Payload).MessageAnnotations);
    }

    [Fact]
    public void Refuses_an_event_that_would_exceed_the_limit_and_keeps_the_rest()
    {
        var whole = new OutgoingEventBatch(null, null, long.MaxValue);
        Assert.True(whole.TryAdd(Event("a")));
        Assert.True(whole.TryAdd(Event("b")));
        var exact = new OutgoingEventBatch(null, null, whole.SizeInBytes);
        Assert.True(exact.TryAdd(Event("a")));
        Assert.True(exact.TryAdd(Event("b")));
        Assert.False(exact.TryAdd(Event("c")));
        Assert.Equal(2, exact.Count);
        Assert.Equal(whole.Payload.ToArray(), exact.Payload.ToArray());
        var small = new OutgoingEventBatch(null, null, whole.SizeInBytes - 1);
        Assert.True(small.TryAdd(Event("a")));
        Assert.False(small.TryAdd(Event("b")));
        Assert.False(new OutgoingEventBatch(null, null, 5).TryAdd(Event("a")));
    }

    [Fact]
    public void Keeps_the_types_of_properties()
    {
        var time = new DateTimeOffset(2026, 11, 21, 7, 0, 0, TimeSpan.Zero);
        var properties = new Dictionary<string, object?>(StringComparer.Ordinal)
        {
            ["text"] = "t",
            ["flag"] = true,
            ["int"] = 7,
            ["long"] = 7L,
            ["byte"] = (byte)7,
            ["float"] = 1.5f,
            ["double"] = 1.5,
            ["id"] = Guid.Empty,
            ["time"] = time,
            ["bytes"] = new byte[] { 1, 2 },
            ["nothing"] = null,
        };
        var batch = new OutgoingEventBatch(null, null, 10_000);
        Assert.True(batch.TryAdd(new OutgoingEvent { Body = default, Properties = properties }));
        var read = AmqpMessage.Decode(batch.Payload).ApplicationProperties;
        Assert.NotNull(read);
        Assert.Equal(properties.Count, read.Count);
        foreach (var name in properties.Keys.Except(["time", "bytes"], StringComparer.Ordinal))
        {
            Assert.Equal(properties[name], read[name]);
        }

        Assert.Equal(AmqpTimestamp.From(time), read["time"]);
        Assert.Equal([1, 2], Assert.IsType<ReadOnlyMemory<byte>>(read["bytes"]).ToArray());
    }

    [Fact]
    public void Data_sections_of_any_length_have_the_shortest_header()
    {
        var batch = new OutgoingEventBatch(null, null, long.MaxValue);
        int[] lengths = [0, 1, .. Enumerable.Range(240, 30), 5_000, 100_000, 10];
        foreach (var length in lengths)
        {
            Assert.True(batch.TryAdd(new OutgoingEvent { Body = Enumerable.Repeat((byte)length, length).ToArray() }));
        }

        var sections = AmqpMessage.Decode(batch.Payload).Body.Data;
        Assert.Equal(lengths, sections.Select(static section => AmqpMessage.Decode(section).Body.Data[0].Length));
        Assert.All(lengths.Zip(sections), static pair => Assert.False(AmqpMessage.Decode(pair.Second).Body.Data[0].Span.ContainsAnyExcept((byte)pair.First)));
        Assert.Equal(sections.Sum(static section => (section.Length > byte.MaxValue ? 8 : 5) + section.Length), batch.SizeInBytes);
    }

    [Fact]
    public void An_event_that_cannot_be_encoded_leaves_the_batch_as_it_was()
    {
        var batch = new OutgoingEventBatch("key", null, 1000);
        Assert.True(batch.TryAdd(Event("a")));
        var before = batch.Payload.ToArray();
        var strange = new Dictionary<string, object?>(StringComparer.Ordinal) { ["good"] = 1, ["strange"] = new Uri("https://host/") };
        Assert.Throws<ArgumentException>(() => batch.TryAdd(new OutgoingEvent { Body = new byte[10], Properties = strange }));
        Assert.Equal(before, batch.Payload.ToArray());
        Assert.True(batch.TryAdd(Event("b")));
        Assert.Equal(["a", "b"], AmqpMessage.Decode(batch.Payload).Body.Data.Select(static section => Text(AmqpMessage.Decode(section))));
    }

    [Fact]
    public void A_batch_that_was_not_stored_can_be_sent_again_and_a_stored_one_cannot()
    {
        var batch = new OutgoingEventBatch(null, null, 1000);
        Assert.True(batch.TryAdd(Event("a")));
        var size = batch.SizeInBytes;
        batch.BeginSending();
        batch.EndSending(isStored: false);
        batch.BeginSending();
        batch.EndSending(isStored: true);
        Assert.Equal((1, size), (batch.Count, batch.SizeInBytes));
        Assert.Equal(FailureKind.Permanent, Assert.Throws<MessagingException>(batch.BeginSending).Kind);
        Assert.Throws<MessagingException>(() => batch.TryAdd(Event("b")));
    }

    [Fact]
    public void Bytes_that_another_send_still_reads_are_kept_until_it_has_ended()
    {
        var batch = new OutgoingEventBatch(null, null, 1000);
        Assert.True(batch.TryAdd(Event("a")));
        batch.BeginSending();
        batch.BeginSending();
        var read = batch.Payload;
        batch.EndSending(isStored: true);
        Assert.Equal("a", Text(AmqpMessage.Decode(read)));
        Assert.Equal(read.Length, batch.Payload.Length);
        batch.EndSending(isStored: false);
    }

    private static OutgoingEvent Event(string body) => new() { Body = Encoding.UTF8.GetBytes(body), ContentType = "text/plain" };

    private static string Text(AmqpMessage message) => Encoding.UTF8.GetString(Assert.Single(message.Body.Data).Span);
}
