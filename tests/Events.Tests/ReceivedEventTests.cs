using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using EventHubThroughput.Clients;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Events.Tests;

public sealed class ReceivedEventTests
{
    [Theory]
    [InlineData("")]
    [InlineData("text")]
    [InlineData("é 中 😀 \u0000")]
    public void The_body_is_read_as_text(string text) => Assert.Equal(text, WithBody(Encoding.UTF8.GetBytes(text)).GetBodyAsText());

    [Fact]
    public void A_byte_order_mark_is_left_out()
    {
        Assert.Equal("text", WithBody([.. Encoding.UTF8.Preamble, .. "text"u8]).GetBodyAsText());
        Assert.Equal(new Order("a", 1), WithBody([.. Encoding.UTF8.Preamble, .. """{"Id":"a","Count":1}"""u8]).GetBodyAsJson(OrderJson.Default.Order));
    }

    [Theory]
    [InlineData("ff", 0, 1)]
    [InlineData("6162ff63", 2, 4)]
    [InlineData("61c3", 1, 2)]
    [InlineData("efbbbf61ff", 4, 5)]
    public void A_body_that_is_not_UTF8_is_refused_with_event_and_place(string bytes, int at, int length)
    {
        var refused = Assert.Throws<MessagingException>(() => WithBody(Convert.FromHexString(bytes)).GetBodyAsText());

        Assert.Equal(FailureKind.Permanent, refused.Kind);
        Assert.Equal($"event 12 of partition 7: its body is not UTF-8 at byte {at} of {length}", refused.Message);
    }

    [Fact]
    public void The_body_is_read_as_JSON_by_generated_code_or_by_options()
    {
        var received = WithBody("""{"id":"a","count":1}"""u8.ToArray());

        Assert.Equal(new Order("a", 1), received.GetBodyAsJson(OrderJson.Web.Order));
        Assert.Equal(new Order("a", 1), received.GetBodyAsJson<Order>(JsonSerializerOptions.Web));
        Assert.Equal(new Order("a", 1), WithBody("""{"Id":"a","Count":1}"""u8.ToArray()).GetBodyAsJson<Order>());
        Assert.Null(WithBody("null"u8.ToArray()).GetBodyAsJson(OrderJson.Default.Order));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("""{"Count":"many"}""")]
    [InlineData("\"\u0001\"")]
    public void A_body_that_is_not_JSON_of_the_type_is_refused_with_event_and_type(string json)
    {
        var received = WithBody(Encoding.UTF8.GetBytes(json));

        MessagingException[] refused =
        [
            Assert.Throws<MessagingException>(() => received.GetBodyAsJson(OrderJson.Default.Order)),
            Assert.Throws<MessagingException>(() => received.GetBodyAsJson<Order>()),
        ];

        Assert.All(
            refused,
            static one =>
            {
                Assert.Equal(FailureKind.Permanent, one.Kind);
                Assert.StartsWith("event 12 of partition 7: its body is not JSON of Order: ", one.Message, StringComparison.Ordinal);
                Assert.IsType<JsonException>(one.InnerException);
            }
        );
    }

    [Theory]
    [InlineData(EventBodyKind.Value)]
    [InlineData(EventBodyKind.Sequence)]
    public void A_body_of_another_kind_is_neither_text_nor_JSON(EventBodyKind kind)
    {
        var received = WithBody("{}"u8.ToArray(), kind);

        InvalidOperationException[] refused =
        [
            Assert.Throws<InvalidOperationException>(() => received.GetBodyAsText()),
            Assert.Throws<InvalidOperationException>(() => received.GetBodyAsJson(OrderJson.Default.Order)),
        ];

        Assert.All(refused, one => Assert.Equal($"event 12 of partition 7: its body is of kind {kind}; only a body of kind Data is text or JSON", one.Message));
    }

    [Fact]
    public void An_event_for_a_test_is_made_with_the_members_that_it_needs()
    {
        var properties = new Dictionary<string, object?>(StringComparer.Ordinal) { ["n"] = 1 };

        var made = new ReceivedEvent
        {
            PartitionId = "7",
            SequenceNumber = 12,
            Offset = "1",
            Body = default,
            Properties = properties,
            MessageId = "m",
            CorrelationId = "c",
        };

        Assert.Same(properties, made.Properties);
        Assert.Equal(("m", "c"), (made.MessageId, made.CorrelationId));
    }

    [Fact]
    public void An_event_with_encoded_properties_but_without_a_client_refuses_to_decode_them()
    {
        var made = new ReceivedEvent
        {
            PartitionId = "7",
            SequenceNumber = 12,
            Offset = "1",
            Body = default,
            EncodedProperties = new byte[] { 1 },
            MessageId = "m",
        };

        var refused = Assert.Throws<InvalidOperationException>(() => made.Properties);

        Assert.Equal("event 12 of partition 7 was made with encoded properties, but by no client that decodes them: set Properties too", refused.Message);
    }

    [Fact]
    public void The_enqueued_time_is_in_UTC()
    {
        var time = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)).AddTicks(7);

        var made = new ReceivedEvent
        {
            PartitionId = "7",
            SequenceNumber = 12,
            Offset = "1",
            Body = default,
            EnqueuedTime = time,
        };

        Assert.Equal((time.UtcDateTime, TimeSpan.Zero), (made.EnqueuedTime.UtcDateTime, made.EnqueuedTime.Offset));
        Assert.Equal(default, Some.Event(1).EnqueuedTime.Offset);
    }

    private static ReceivedEvent WithBody(byte[] body, EventBodyKind kind = EventBodyKind.Data) =>
        new()
        {
            PartitionId = "7",
            SequenceNumber = 12,
            Offset = "1",
            Body = body,
            BodyKind = kind,
        };
}

internal sealed record Order(string Id, int Count);

[JsonSerializable(typeof(Order))]
internal sealed partial class OrderJson : JsonSerializerContext
{
    public static OrderJson Web { get; } = new(new JsonSerializerOptions(JsonSerializerDefaults.Web));
}
