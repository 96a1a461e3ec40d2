using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Sinks;

public sealed class DeadLetterWriterTests
{
    private readonly MemoryBlobs container = new("deadletters");
    private readonly DeadLetterWriter store;

    public DeadLetterWriterTests() => store = new DeadLetterWriter(container, "hub");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Keeps_body_properties_reason_and_attempts_under_the_events_own_name()
    {
        var received = With(properties: 3);

        await store.StoreAsync(received, "blob", "too large", 6, Cancellation);

        var record = Assert.Single(container.Blobs).Value;
        Assert.Equal("hub/0/00000000000000000007", record.Name);
        Assert.Equal(received.Body.ToArray(), record.Content.ToArray());
        Assert.Equal("text/plain", record.ContentType);
        Assert.Equal(BlobCondition.Absent, record.Condition);
        Assert.Equal(
            new Dictionary<string, string>(StringComparer.Ordinal)
            {
                ["sha256"] = Convert.ToHexStringLower(SHA256.HashData(received.Body.Span)),
                ["length"] = "4",
                ["reason"] = "blob: too large",
                ["attempts"] = "6",
                ["partition"] = "0",
                ["sequence"] = "7",
                ["properties"] = "AAAA",
                ["offset"] = Base64(received.Offset),
                ["enqueued"] = "0001-01-01T00:00:00.0000000+00:00",
                ["sinks"] = "blob",
            },
            record.Metadata
        );
    }

    [Fact]
    public async Task The_kind_of_a_body_that_is_not_plain_bytes_is_stored()
    {
        await store.StoreAsync(With(kind: EventBodyKind.Sequence), "blob", "no", 1, Cancellation);

        Assert.Equal("Sequence", container.Blobs.Values.Single().Metadata!["bodykind"]);
    }

    [Theory]
    [InlineData("trailing ", "dHJhaWxpbmcg")]
    [InlineData("\r\nX: y", "DQpYOiB5")]
    [InlineData("", "")]
    public async Task Keeps_a_content_type_that_no_header_can_carry_in_the_metadata(string type, string stored)
    {
        await store.StoreAsync(With(type: type), "blob", "no", 1, Cancellation);

        var record = Assert.Single(container.Blobs).Value;
        Assert.Null(record.ContentType);
        Assert.Equal(stored, record.Metadata!["contenttype"]);
    }

    [Fact]
    public async Task Keeps_properties_that_do_not_fit_into_metadata_beside_the_record_and_stores_them_first()
    {
        var received = With(properties: 9000);
        container.Failures.Enqueue(new MessagingException(FailureKind.Transient, "busy"));

        await Assert.ThrowsAsync<MessagingException>(() => store.StoreAsync(received, "blob", "no", 1, Cancellation));
        Assert.Empty(container.Blobs);
        await store.StoreAsync(received, "blob", "no", 1, Cancellation);

        Assert.Equal(9000, container.Blobs["hub/0/00000000000000000007.properties"].Content.Length);
        Assert.Equal(".properties", container.Blobs["hub/0/00000000000000000007"].Metadata!["properties"]);
    }

    [Fact]
    public async Task Keeps_the_first_record_when_the_event_is_given_up_again()
    {
        await store.StoreAsync(With(), "blob", "first", 1, Cancellation);
        await store.StoreAsync(With(), "blob", "second", 2, Cancellation);

        var record = Assert.Single(container.Blobs).Value.Metadata!;
        Assert.Equal(("blob: first", "1", "blob"), (record["reason"], record["attempts"], record["sinks"]));
    }

    [Fact]
    public async Task Refuses_to_take_other_bytes_for_the_record()
    {
        await store.StoreAsync(With(), "blob", "first", 1, Cancellation);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => store.StoreAsync(With(length: 5), "blob", "second", 1, Cancellation));

        Assert.Equal(FailureKind.Permanent, failure.Kind);
    }

    [Fact]
    public async Task Refuses_to_take_the_archived_event_for_its_dead_letter()
    {
        // Same name, same bytes, same hash: what the archive holds of an event, where both are one container.
        await new BlobSink(container, "hub").WriteAsync(With(properties: 3), Cancellation);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => store.StoreAsync(With(properties: 3), "servicebus", "too large", 6, Cancellation));

        Assert.Equal(FailureKind.Permanent, failure.Kind);
        Assert.Contains(
            "'hub/0/00000000000000000007' in container 'deadletters' is not a dead letter of this event",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("reason", "")]
    [InlineData("reason", null)]
    [InlineData("partition", "1")]
    [InlineData("partition", null)]
    [InlineData("sequence", "8")]
    [InlineData("sequence", null)]
    [InlineData("sha256", "00")]
    [InlineData("properties", "AAAB")]
    public async Task Refuses_to_take_a_record_of_anything_else_for_that_of_the_event(string name, string? value)
    {
        await store.StoreAsync(With(properties: 3), "blob", "first", 1, Cancellation);
        container.Change("hub/0/00000000000000000007", name, value);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => store.StoreAsync(With(properties: 3), "blob", "second", 2, Cancellation));

        Assert.Equal(FailureKind.Permanent, failure.Kind);
    }

    [Theory]
    [InlineData("line\r\nbreak", "blob: line  break")]
    [InlineData("grün", "blob: gr?n")]
    [InlineData("", "blob:")]
    [InlineData("SharedAccessKey=c2VjcmV0", "blob: SharedAccessKey=***")]
    public async Task Writes_the_reason_as_one_line_that_a_header_may_carry(string reason, string stored)
    {
        await store.StoreAsync(With(), "blob", reason, 1, Cancellation);

        Assert.Equal(stored, container.Blobs.Values.Single().Metadata!["reason"]);
    }

    [Fact]
    public async Task Adds_a_further_sink_to_the_record_with_its_reason()
    {
        await store.StoreAsync(With(), "servicebus", "too large", 6, Cancellation);
        await store.StoreAsync(With(), "blob", "refused", 1, Cancellation);
        await store.StoreAsync(With(), "blob", "refused again", 1, Cancellation);

        var record = Assert.Single(container.Blobs).Value.Metadata!;
        Assert.Equal(("servicebus,blob", "7"), (record["sinks"], record["attempts"]));
        Assert.Equal("servicebus: too large; blob: refused", record["reason"]);
    }

    [Fact]
    public async Task Names_both_sinks_that_give_an_event_up_at_the_same_time()
    {
        // Between the look of one and its change the other one comes first, twice.
        var others = new Queue<string>(["two", "three"]);
        container.Before = async (verb, _) =>
        {
            if (verb == "change" && others.TryDequeue(out var other))
            {
                await store.StoreAsync(With(), other, "no", 1, Cancellation);
            }
        };
        await store.StoreAsync(With(), "one", "no", 1, Cancellation);
        await store.StoreAsync(With(), "four", "no", 1, Cancellation);

        Assert.Equal(["four", "one", "three", "two"], container.Blobs.Values.Single().Metadata!["sinks"].Split(',').Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task The_event_is_stored_again_when_its_record_is_removed_meanwhile()
    {
        await store.StoreAsync(With(properties: 9000), "one", "no", 1, Cancellation);
        container.Before = (verb, name) =>
        {
            if (verb == "change")
            {
                container.Blobs.Remove(name);
            }

            return Task.CompletedTask;
        };

        await store.StoreAsync(With(properties: 9000), "two", "no", 1, Cancellation);

        Assert.Equal(2, container.Blobs.Count);
        Assert.Equal("two", container.Blobs["hub/0/00000000000000000007"].Metadata!["sinks"]);
    }

    [Fact]
    public async Task Fills_in_what_a_record_of_an_earlier_version_lacks()
    {
        await store.StoreAsync(With(), "one", "no", 1, Cancellation);
        foreach (var later in new[] { "sinks", "offset", "enqueued" })
        {
            container.Change("hub/0/00000000000000000007", later, null);
        }

        await store.StoreAsync(With(), "two", "no", 1, Cancellation);

        var record = Assert.Single(container.Blobs).Value.Metadata!;
        Assert.Equal(("two", "two: no"), (record["sinks"], record["reason"]));
        Assert.Equal(Base64(With().Offset), record["offset"]);
    }

    [Fact]
    public async Task The_metadata_of_any_event_fits_into_a_blob()
    {
        var received = new ReceivedEvent
        {
            PartitionId = "0",
            SequenceNumber = long.MaxValue,
            Offset = new string('9', 40),
            PartitionKey = new string('k', 128),
            Body = new byte[4],
            BodyKind = EventBodyKind.Sequence,
            ContentType = "no header carries this ",
            EncodedProperties = new byte[4608],
        };

        await store.StoreAsync(received, "servicebus", new string('x', 2000), 6, Cancellation);
        await store.StoreAsync(received, "blob", new string('y', 2000), 6, Cancellation);

        Assert.All(container.Blobs.Values, blob => Assert.InRange(blob.Metadata!.Sum(field => field.Key.Length + field.Value.Length), 1, 8192));
    }

    private static string Base64(string text) => Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(text));

    private static ReceivedEvent With(int length = 4, int properties = 0, EventBodyKind kind = EventBodyKind.Data, string type = "text/plain") =>
        new()
        {
            PartitionId = "0",
            SequenceNumber = 7,
            Offset = Some.Event(7).Offset,
            Body = new byte[length],
            BodyKind = kind,
            ContentType = type,
            EncodedProperties = new byte[properties],
        };
}
