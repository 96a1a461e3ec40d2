using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Consumer.Sinks;
using EventHubThroughput.Consumer.Tests.Doubles;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Sinks;

public sealed class DeadLetterStoreTests
{
    private readonly MemoryBlobs container = new("deadletters");
    private readonly DeadLetterStore store;

    public DeadLetterStoreTests() => store = new DeadLetterStore(container, "hub");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Keeps_body_properties_reason_and_attempts_under_the_events_own_name()
    {
        var received = With(properties: 3);

        await store.StoreAsync(received, "blob: too large", 6, Cancellation);

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
                ["properties"] = "AAAA",
            },
            record.Metadata
        );
    }

    [Fact]
    public async Task Says_what_kind_of_body_it_keeps_when_it_is_not_plain_bytes()
    {
        await store.StoreAsync(With(kind: EventBodyKind.Sequence), "no", 1, Cancellation);

        Assert.Equal("Sequence", container.Blobs.Values.Single().Metadata!["bodykind"]);
    }

    [Theory]
    [InlineData("trailing ", "dHJhaWxpbmcg")]
    [InlineData("\r\nX: y", "DQpYOiB5")]
    [InlineData("", "")]
    public async Task Keeps_a_content_type_that_no_header_can_carry_in_the_metadata(string type, string stored)
    {
        await store.StoreAsync(With(type: type), "no", 1, Cancellation);

        var record = Assert.Single(container.Blobs).Value;
        Assert.Null(record.ContentType);
        Assert.Equal(stored, record.Metadata!["contenttype"]);
    }

    [Fact]
    public async Task Keeps_properties_that_do_not_fit_into_metadata_beside_the_record_and_stores_them_first()
    {
        var received = With(properties: 9000);
        container.Failures.Enqueue(new MessagingException(FailureKind.Transient, "busy"));

        await Assert.ThrowsAsync<MessagingException>(() => store.StoreAsync(received, "no", 1, Cancellation));
        Assert.Empty(container.Blobs);
        await store.StoreAsync(received, "no", 1, Cancellation);

        Assert.Equal(9000, container.Blobs["hub/0/00000000000000000007.properties"].Content.Length);
        Assert.Equal(".properties", container.Blobs["hub/0/00000000000000000007"].Metadata!["properties"]);
    }

    [Fact]
    public async Task Keeps_the_first_record_when_the_event_is_given_up_again()
    {
        await store.StoreAsync(With(), "first", 1, Cancellation);
        await store.StoreAsync(With(), "second", 2, Cancellation);

        Assert.Equal("first", Assert.Single(container.Blobs).Value.Metadata!["reason"]);
    }

    [Fact]
    public async Task Refuses_to_take_other_bytes_for_the_record()
    {
        await store.StoreAsync(With(), "first", 1, Cancellation);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => store.StoreAsync(With(length: 5), "second", 1, Cancellation));

        Assert.Equal(FailureKind.Permanent, failure.Kind);
    }

    [Theory]
    [InlineData("line\r\nbreak", "line  break")]
    [InlineData("grün", "gr?n")]
    [InlineData("", "unknown")]
    [InlineData("SharedAccessKey=c2VjcmV0", "SharedAccessKey=***")]
    public async Task Writes_the_reason_as_one_line_that_a_header_may_carry(string reason, string stored)
    {
        await store.StoreAsync(With(), reason, 1, Cancellation);

        Assert.Equal(stored, container.Blobs.Values.Single().Metadata!["reason"]);
    }

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
