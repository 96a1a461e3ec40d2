using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Stores the properties of a dead letter in a blob beside it, as for those that no metadata can hold. It makes a mistake with that blob.</summary>
public sealed class DeadLettersPutPropertiesBesideTests
{
    [Fact]
    public void Never_stores_it() => Convicts((_, _) => Task.CompletedTask);

    [Fact]
    public void Stores_other_bytes() => Convicts((process, upload) => UploadAsync(process, upload with { Content = "{}"u8.ToArray() }));

    [Fact]
    public void Stores_the_hash_of_other_bytes() =>
        Convicts((process, upload) => UploadAsync(process, upload with { Metadata = EventBlob.GetMetadata("{}"u8.ToArray()) }));

    [Fact]
    public void Stores_it_under_another_name() =>
        Convicts((process, upload) => UploadAsync(process, upload with { Name = upload.Name + ".json" }), charges: ["unexpected", "corrupt"]);

    [Fact]
    public void Removes_it_as_soon_as_the_dead_letter_is_there() =>
        Convicts(UploadAsync, (process, name) => process.DeadLetters.DeleteAsync(name, CancellationToken.None));

    [Fact]
    public void Without_a_mistake_it_is_clean_so_that_the_blob_beside_is_what_is_convicted() =>
        Trial.Clears(async schedule => (await GivingUp.RunAsync(schedule, GiveUp(UploadAsync, null))).Services.Judge());

    private static void Convicts(
        Func<RecordedProcess, BlobUpload, Task> store,
        Func<RecordedProcess, string, Task>? afterwards = null,
        params string[] charges
    ) =>
        Trial.Convicts(
            charges.Length == 0 ? ["corrupt"] : charges,
            async schedule => (await GivingUp.RunAsync(schedule, GiveUp(store, afterwards))).Services.Judge()
        );

    private static GiveUp GiveUp(Func<RecordedProcess, BlobUpload, Task> store, Func<RecordedProcess, string, Task>? afterwards) =>
        async (process, sink, received) =>
        {
            var beside = new BlobUpload
            {
                Name = SinkNames.BlobName(RecordedServices.Hub, received.PartitionId, received.SequenceNumber) + DeadLetterFields.PropertiesSuffix,
                Content = received.EncodedProperties,
                Metadata = EventBlob.GetMetadata(received.EncodedProperties),
            };
            await store(process, beside);
            await GivingUp.Changed(ChangedUploads.Metadata(DeadLetterFields.Properties, DeadLetterFields.PropertiesSuffix))(process, sink, received);
            await (afterwards?.Invoke(process, beside.Name) ?? Task.CompletedTask);
        };

    private static async Task UploadAsync(RecordedProcess process, BlobUpload upload) => await process.DeadLetters.UploadAsync(upload, CancellationToken.None);
}
