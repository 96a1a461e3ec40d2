using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Journal;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

public sealed class BlobJournalTests : IDisposable
{
    private const string EmptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private const string AbcSha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private readonly string folder = Directory.CreateTempSubdirectory("blob-journal").FullName;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private string JournalPath => Path.Combine(folder, "journal");

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public async Task New_versions_are_above_all_versions_of_the_journal_even_of_a_deleted_container()
    {
        const string Recorded = "0x7FFFFFFFFFFF0000";
        await using (var before = JournalWriter.Open(JournalPath))
        {
            before.Write(new BlobWritten(WriteMoment.Stored, "c01", "gone", EmptySha256, 0, null, null, Recorded, false));
        }

        await using (var journal = JournalWriter.Continue(JournalPath, TimeProvider.System))
        await using (var endpoint = await BlobEndpoint.StartAsync(Cancelled, options => options with { Journal = journal }))
        {
            var answer = await PutAsync(endpoint, "new", "abc");

            Assert.True(VersionSource.GetNumber(answer.Headers["ETag"].Trim('"')) > VersionSource.GetNumber(Recorded));
        }
    }

    [Fact]
    public async Task Writes_down_uploads_checkpoints_and_ownerships_with_what_they_replaced()
    {
        await using (var journal = JournalWriter.Open(JournalPath))
        await using (var endpoint = await BlobEndpoint.StartAsync(Cancelled, options => options with { Journal = journal }))
        {
            await PutAsync(endpoint, "hub/0/1", "abc", ("x-ms-meta-a", "b"), ("x-ms-blob-content-type", "text/plain"));
            await PutAsync(endpoint, "hub/0/1", string.Empty);
            await PutAsync(endpoint, "hub/0/1", "abc", ("If-None-Match", "*"));
            var checkpoint = await PutAsync(
                endpoint,
                "ns/hub/%24default/checkpoint/3",
                string.Empty,
                ("x-ms-meta-offset", "10"),
                ("x-ms-meta-sequencenumber", "1"),
                ("x-ms-meta-clientidentifier", "me")
            );
            await endpoint.Client.SendAsync(
                "PUT",
                "/c01/ns/hub/%24default/checkpoint/3?comp=metadata",
                Cancelled,
                headers: [("If-Match", checkpoint.Headers["ETag"]), ("x-ms-meta-sequencenumber", "2")]
            );
            await endpoint.Client.SendAsync(
                "PUT",
                "/c01/ns/hub/%24default/checkpoint/3?comp=metadata",
                Cancelled,
                headers: [("If-Match", checkpoint.Headers["ETag"]), ("x-ms-meta-sequencenumber", "9")]
            );
            await PutAsync(endpoint, "ns/hub/%24default/ownership/3", string.Empty, ("x-ms-meta-ownerid", "me"));
        }

        JournalRecord[] records = [.. JournalReader.Read(JournalPath)];
        BlobWritten[] blobs = [.. records.OfType<BlobWritten>()];
        Assert.Equal(
            [WriteMoment.Begun, WriteMoment.Stored, WriteMoment.Begun, WriteMoment.Stored, WriteMoment.Begun],
            blobs.Select(static blob => blob.Moment)
        );
        Assert.Equal(("c01", "hub/0/1", AbcSha256, 3L, "text/plain", false), Fields(blobs[1]));
        Assert.Equal("b", blobs[1].Metadata!["a"]);
        Assert.Equal(("c01", "hub/0/1", EmptySha256, 0L, "application/octet-stream", true), Fields(blobs[3]));

        CheckpointWritten[] checkpoints = [.. records.OfType<CheckpointWritten>()];
        Assert.Equal(
            [WriteMoment.Stored, WriteMoment.Answered, WriteMoment.Stored, WriteMoment.Answered],
            checkpoints.Select(static checkpoint => checkpoint.Moment)
        );
        Assert.Equal(("hub", "$default", "3", "10", "1", "me"), Fields(checkpoints[0]));
        Assert.Equal((null, checkpoints[0].ETag), (checkpoints[0].PreviousETag, checkpoints[2].PreviousETag));
        Assert.Equal(("hub", "$default", "3", null, "2", null), Fields(checkpoints[2]));

        var ownership = Assert.Single(records.OfType<OwnershipWritten>());
        Assert.Equal(("hub", "$default", "3", "me"), (ownership.Hub, ownership.Group, ownership.Partition, ownership.Owner));
        Assert.Equal(records.Select(static record => record.Tick).Order(), records.Select(static record => record.Tick));
    }

    [Fact]
    public async Task Writes_down_blobs_that_are_deleted_but_not_checkpoints_and_ownerships()
    {
        string version;
        await using (var journal = JournalWriter.Open(JournalPath))
        await using (var endpoint = await BlobEndpoint.StartAsync(Cancelled, options => options with { Journal = journal }))
        {
            version = (await PutAsync(endpoint, "hub/0/1", "abc")).Headers["ETag"].Trim('"');
            await PutAsync(endpoint, "ns/hub/%24default/checkpoint/3", string.Empty);
            Assert.Equal(412, (await endpoint.Client.SendAsync("DELETE", "/c01/hub/0/1", Cancelled, headers: [("If-Match", "\"0x0\"")])).Status);
            Assert.Equal(202, (await endpoint.Client.SendAsync("DELETE", "/c01/hub/0/1", Cancelled)).Status);
            Assert.Equal(202, (await endpoint.Client.SendAsync("DELETE", "/c01/ns/hub/%24default/checkpoint/3", Cancelled)).Status);
            Assert.Equal(404, (await endpoint.Client.SendAsync("DELETE", "/c01/hub/0/1", Cancelled)).Status);
        }

        var deleted = Assert.Single(JournalReader.Read(JournalPath).OfType<BlobDeleted>());
        Assert.Equal(("c01", "hub/0/1", version), (deleted.Container, deleted.Name, deleted.ETag));
    }

    [Fact]
    public async Task Delays_between_begin_and_stored_what_the_profile_names()
    {
        RecordingLatency latency = new();
        await using (var journal = JournalWriter.Open(JournalPath))
        await using (var endpoint = await BlobEndpoint.StartAsync(Cancelled, options => options with { Journal = journal, Latency = latency }))
        {
            var upload = PutAsync(endpoint, "hub/0/1", "abc");
            await latency.Entered.Task.WaitAsync(Cancelled);
            Assert.Equal(404, (await endpoint.Client.SendAsync("HEAD", "/c01/hub/0/1", Cancelled)).Status);
            latency.Release.SetResult();
            Assert.Equal(201, (await upload).Status);

            await PutAsync(endpoint, "ns/hub/g/ownership/3", string.Empty);
            await endpoint.Client.SendAsync("PUT", "/c01/ns/hub/g/ownership/3?comp=metadata", Cancelled);
            await PutAsync(endpoint, "ns/hub/g/checkpoint/3", string.Empty);
            await endpoint.Client.SendAsync("PUT", "/c01/ns/hub/g/checkpoint/3?comp=metadata", Cancelled);
            await endpoint.Client.SendAsync("GET", "/c01/hub/0/1", Cancelled);
        }

        Assert.Equal([EmulatedOperation.BlobWrite, EmulatedOperation.CheckpointWrite, EmulatedOperation.CheckpointWrite], latency.Operations);
    }

    private static Task<RawAnswer> PutAsync(BlobEndpoint endpoint, string name, string body, params (string, string)[] headers) =>
        endpoint.Client.SendAsync("PUT", "/c01/" + name, Cancelled, body, [("x-ms-blob-type", "BlockBlob"), .. headers]);

    private static (string, string, string?, long, string?, bool) Fields(BlobWritten blob) =>
        (blob.Container, blob.Name, blob.Sha256, blob.Length, blob.ContentType, blob.Overwrote);

    private static (string, string, string, string?, string?, string?) Fields(CheckpointWritten checkpoint) =>
        (checkpoint.Hub, checkpoint.Group, checkpoint.Partition, checkpoint.Offset, checkpoint.Sequence, checkpoint.ClientId);

    /// <summary>Records delayed operations. The first operation waits until it is released.</summary>
    private sealed class RecordingLatency : ILatency
    {
        public List<EmulatedOperation> Operations { get; } = [];

        public TaskCompletionSource Entered { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Release { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public long Now => 0;

        public long Before(TimeSpan ago, int wakes) => 0;

        public async ValueTask<Admission> ApplyAsync(EmulatedOperation operation, Load load, long arrivedAt, CancellationToken cancellationToken)
        {
            Operations.Add(operation);
            Entered.TrySetResult();
            await Release.Task.WaitAsync(cancellationToken);
            return default;
        }
    }
}
