using System.IO.Compression;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Uploads a blob that is not what the event was, under another name or over another one, or does not leave it there.</summary>
public sealed class ArchivesCarelesslyTests
{
    [Fact]
    public void Removes_it_once_its_event_is_checkpointed() =>
        Trial.Convicts(
            ["lost"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                await NaivePump.RunAsync(process, context => new CombinedStrategy(context), batch: 10);
                var uploaded = services.Blobs.Keys.Select(key => key.Name).Order(StringComparer.Ordinal).ToList();
                await process.Archive.DeleteAsync(uploaded[schedule.Random.Next(40)], CancellationToken.None);
                return services.Judge();
            }
        );

    [Fact]
    public void Uploads_it_again_over_the_one_of_the_owner_before() =>
        Trial.Convicts(
            ["duplicateBlob"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var first = services.Start();
                using (var left = first.Take(fenced: false))
                {
                    await NaivePump.WriteAsync(first, left.Batches(10).First());
                }

                var second = services.Start();
                await NaivePump.RunAsync(
                    second,
                    context => new CombinedStrategy(context),
                    batch: 10,
                    sink =>
                        sink.Name == BlobSink.SinkName
                            ? new BlobSink(new ChangedUploads(second.Archive, upload => upload with { Condition = BlobCondition.None }), RecordedServices.Hub)
                            : sink
                );
                return services.Judge();
            }
        );

    [Fact]
    public void No_metadata() => OneMistake.InTheBlobConvicts(["corrupt"], static upload => upload with { Metadata = null });

    [Theory]
    [InlineData(EventBlob.HashName)]
    [InlineData(EventBlob.LengthName)]
    [InlineData("properties")]
    public void Metadata_without_hash_or_length_or_properties(string name) => OneMistake.InTheBlobConvicts(["corrupt"], ChangedUploads.Metadata(name, null));

    [Fact]
    public void The_hash_in_Base64_as_Content_MD5_has_it() =>
        OneMistake.InTheBlobConvicts(
            ["corrupt"],
            static upload =>
                ChangedUploads.Metadata(EventBlob.HashName, Convert.ToBase64String(Convert.FromHexString(upload.Metadata![EventBlob.HashName])))(upload)
        );

    [Fact]
    public void The_hash_in_capital_letters() => OneMistake.InTheBlobConvicts(["corrupt"], ChangedUploads.HashInCapitals);

    [Fact]
    public void The_bytes_packed_and_hash_and_length_of_the_event() =>
        OneMistake.InTheBlobConvicts(["corrupt"], upload => upload with { Content = Pack(upload) });

    [Fact]
    public void The_bytes_packed_and_their_own_hash_and_length() =>
        OneMistake.InTheBlobConvicts(["corrupt"], upload => upload with { Content = Pack(upload), Metadata = GetMetadata(upload, Pack(upload)) });

    [Fact]
    public void No_content_type() => OneMistake.InTheBlobConvicts(["corrupt"], static upload => upload with { ContentType = null });

    [Fact]
    public void A_name_without_leading_zeros() =>
        OneMistake.InTheBlobConvicts(
            ["lost", "unexpected", "checkpointAhead"],
            static upload => upload with { Name = $"{upload.Name[..^20]}{upload.Name[^20..].TrimStart('0')}" }
        );

    [Fact]
    public void The_name_of_the_event_before() =>
        OneMistake.Convicts(
            ["lost", "corrupt", "duplicateBlob", "checkpointAhead"],
            BlobSink.SinkName,
            async (process, _, received) =>
            {
                await process.Services.Schedule.Clock.DelayAsync(TimeSpan.FromSeconds(1), CancellationToken.None);
                var before = SinkNames.BlobName(RecordedServices.Hub, received.PartitionId, received.SequenceNumber - 1);
                var archive = new ChangedUploads(process.Archive, upload => upload with { Name = before, Condition = BlobCondition.None });
                await new BlobSink(archive, RecordedServices.Hub).WriteAsync(received, CancellationToken.None);
            }
        );

    [Fact]
    public void Into_a_container_from_which_nothing_is_moved_on() =>
        OneMistake.Convicts(
            ["lost", "checkpointAhead"],
            BlobSink.SinkName,
            (process, _, received) => new BlobSink(process.Container("staging"), RecordedServices.Hub).WriteAsync(received, CancellationToken.None).AsTask()
        );

    [Fact]
    public void A_manifest_beside_it() =>
        OneMistake.Convicts(
            ["unexpected"],
            BlobSink.SinkName,
            async (process, inner, received) =>
            {
                await inner.WriteAsync(received, CancellationToken.None);
                var manifest = new ChangedUploads(process.Archive, static upload => upload with { Name = upload.Name + ".json" });
                await new BlobSink(manifest, RecordedServices.Hub).WriteAsync(received, CancellationToken.None);
            }
        );

    [Fact]
    public void Storing_one_blob_for_a_batch_is_convicted() =>
        Trial.Convicts(
            ["lost", "corrupt", "checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                var sinks = NaivePump.GetSinks(process);
                using var ownership = process.Take(fenced: false);
                foreach (var batch in ownership.Batches(10))
                {
                    await NaivePump.Over([sinks[0]], context => new CombinedStrategy(context)).DispatchAsync(batch.Events, CancellationToken.None);
                    var all = batch.Events.SelectMany(received => received.Body.ToArray()).ToArray();
                    await sinks[1].WriteAsync(ChangedBody.Of(batch.Events[0], all), CancellationToken.None);
                    await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
                }

                return services.Judge();
            }
        );

    private static byte[] Pack(BlobUpload upload)
    {
        using var packed = new MemoryStream();
        using (var stream = new GZipStream(packed, CompressionLevel.Fastest))
        {
            stream.Write(upload.Content.Span);
        }

        return packed.ToArray();
    }

    private static Dictionary<string, string> GetMetadata(BlobUpload upload, ReadOnlyMemory<byte> content)
    {
        var metadata = EventBlob.GetMetadata(content);
        metadata["properties"] = upload.Metadata!["properties"];
        return metadata;
    }
}
