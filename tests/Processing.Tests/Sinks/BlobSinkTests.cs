using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Sinks;

public sealed class BlobSinkTests
{
    private readonly MemoryBlobs container = new();
    private readonly BlobSink sink;

    public BlobSinkTests() => sink = new BlobSink(container, "hub");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Stores_the_body_unchanged_under_the_events_own_name_if_absent()
    {
        var received = With([0, 255, 128, 10], [1, 2, 3]);

        await sink.WriteAsync(received, Cancellation);

        var blob = Assert.Single(container.Blobs).Value;
        Assert.Equal("hub/0/00000000000000000007", blob.Name);
        Assert.Equal(received.Body.ToArray(), blob.Content.ToArray());
        Assert.Equal("text/plain", blob.ContentType);
        Assert.Equal(BlobCondition.Absent, blob.Condition);
        Assert.Equal(
            new Dictionary<string, string>(StringComparer.Ordinal)
            {
                ["sha256"] = Convert.ToHexStringLower(SHA256.HashData(received.Body.Span)),
                ["length"] = "4",
                ["properties"] = "AQID",
            },
            blob.Metadata
        );
    }

    [Fact]
    public async Task An_event_without_properties_has_no_metadata_of_properties()
    {
        await sink.WriteAsync(With([], []), Cancellation);

        Assert.Equal(["length", "sha256"], container.Blobs.Values.Single().Metadata!.Keys.Order());
    }

    [Fact]
    public async Task Counts_equal_bytes_in_place_as_a_repeated_success()
    {
        await sink.WriteAsync(Some.Event(7), Cancellation);
        await sink.WriteAsync(Some.Event(7), Cancellation);

        Assert.Equal(1, sink.Repeated);
    }

    [Fact]
    public async Task Never_overwrites_other_bytes()
    {
        await sink.WriteAsync(With([1], []), Cancellation);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => sink.WriteAsync(With([2], []), Cancellation).AsTask());

        Assert.Equal(FailureKind.Permanent, failure.Kind);
        Assert.Equal("blob 'hub/0/00000000000000000007' in container 'archive' already has different bytes", failure.Message);
        Assert.Equal([1], container.Blobs.Values.Single().Content.ToArray());
    }

    [Fact]
    public async Task A_blob_of_another_writer_is_not_accepted_as_its_own()
    {
        var received = Some.Event(7);
        container.Blobs["hub/0/00000000000000000007"] = new BlobUpload { Name = "hub/0/00000000000000000007", Content = received.Body };

        var failure = await Assert.ThrowsAsync<MessagingException>(() => sink.WriteAsync(received, Cancellation).AsTask());

        Assert.Equal(FailureKind.Permanent, failure.Kind);
    }

    [Fact]
    public async Task Lets_a_blob_that_has_gone_meanwhile_be_tried_again()
    {
        await sink.WriteAsync(Some.Event(7), Cancellation);
        container.ForgetsOnce = true;

        var failure = await Assert.ThrowsAsync<MessagingException>(() => sink.WriteAsync(Some.Event(7), Cancellation).AsTask());

        Assert.True(failure.IsTransient);
    }

    [Theory]
    [InlineData(5_900, true)]
    [InlineData(6_200, false)]
    public async Task Holds_properties_up_to_what_metadata_holds(int bytes, bool fits)
    {
        var writing = sink.WriteAsync(With([1], new byte[bytes]), Cancellation).AsTask();

        if (fits)
        {
            await writing;
        }
        else
        {
            Assert.Equal(FailureKind.TooLarge, (await Assert.ThrowsAsync<MessagingException>(() => writing)).Kind);
        }
    }

    private static ReceivedEvent With(byte[] body, byte[] properties) =>
        new()
        {
            PartitionId = "0",
            SequenceNumber = 7,
            Offset = "700",
            Body = body,
            ContentType = "text/plain",
            EncodedProperties = properties,
        };
}
