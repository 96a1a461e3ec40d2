using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>Stores the right bytes and gives one blob the metadata of others, so that a repetition would treat it as another event's.</summary>
public sealed class WritesWrongMetadataTests
{
    [Theory]
    [InlineData("sha256", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    [InlineData("sha256", "none")]
    [InlineData("length", "1")]
    [InlineData("length", "007")]
    public void A_blob_with_metadata_that_differs_from_its_content_is_corrupt(string name, string value) =>
        Trial.Convicts(
            ["corrupt"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                var victim = schedule.Random.Next(40);
                await NaivePump.RunAsync(
                    process,
                    context => new CombinedStrategy(context),
                    batch: 10,
                    sink => sink is BlobSink ? new Erring(sink, process.Archive, victim, name, value) : sink
                );
                return services.Judge();
            }
        );

    private sealed class Erring(ISink<ReceivedEvent> inner, IBlobContainer archive, long victim, string name, string value) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            if (receivedEvent.SequenceNumber != victim)
            {
                await inner.WriteAsync(receivedEvent, cancellationToken);
                return;
            }

            var metadata = EventBlob.GetMetadata(receivedEvent.Body);
            metadata["properties"] = Convert.ToBase64String(receivedEvent.EncodedProperties.Span);
            metadata[name] = value;
            await archive.UploadAsync(
                new BlobUpload
                {
                    Name = SinkNames.BlobName(RecordedServices.Hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber),
                    Content = receivedEvent.Body,
                    ContentType = receivedEvent.ContentType,
                    Metadata = metadata,
                    Condition = BlobCondition.Absent,
                },
                cancellationToken
            );
        }
    }
}
