using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>A write that the journal refuses did not happen: neither immediately nor after a restart.</summary>
public sealed class BlobRefusedWriteTests : IAsyncLifetime
{
    private const string Checkpoint = "ns/hub/g/checkpoint/0";

    private readonly string folder = Directory.CreateTempSubdirectory("blob-refused").FullName;
    private DurableBlobs? blobs;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private DurableBlobs Blobs => blobs!;

    public async ValueTask InitializeAsync() => blobs = await DurableBlobs.StartAsync(new VirtualClock(), Cancelled);

    public async ValueTask DisposeAsync()
    {
        await blobs!.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task A_write_that_the_journal_does_not_take_is_refused_and_not_there()
    {
        Blobs.Journal = JournalWriter.Open(Path.Combine(folder, "journal"));
        await Blobs.RestartAsync(Cancelled);
        string etag;
        using (PlainBlobClient client = new(Blobs.Service))
        {
            etag = (await client.PutAsync(Checkpoint, [], Cancelled, ("x-ms-meta-offset", "1"))).Headers["ETag"];
            await client.PutAsync("upload", [1], Cancelled);
            (var log, var used) = (new FileInfo(Blobs.GetLog("c01")).Length, Blobs.Budget.UsedBytes);

            // A closed journal fails every write, as one on a full disk does.
            await Blobs.Journal.DisposeAsync();
            Refused(await client.PutAsync(Checkpoint, [], Cancelled, ("x-ms-meta-offset", "2")));
            Refused(await client.SendAsync("PUT", $"/c01/{Checkpoint}?comp=metadata", body: null, Cancelled, ("x-ms-meta-offset", "3")));
            Refused(await client.PutAsync("ns/hub/g/checkpoint/1", [], Cancelled));
            Refused(await client.PutAsync("upload", [2], Cancelled));
            Refused(await client.SendAsync("DELETE", "/c01/upload", body: null, Cancelled));
            Assert.Equal((log, used), (new FileInfo(Blobs.GetLog("c01")).Length, Blobs.Budget.UsedBytes));
            await HoldsWhatWasThereAsync(client, etag);
        }

        Assert.Single(
            Blobs.Diagnostics.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries),
            static line => line.StartsWith("error: blobs are refused: the journal", StringComparison.Ordinal)
        );
        Blobs.Journal = null;
        await Blobs.RestartAsync(Cancelled);
        using PlainBlobClient again = new(Blobs.Service);
        await HoldsWhatWasThereAsync(again, etag);
        Assert.Equal(201, (await again.PutAsync(Checkpoint, [], Cancelled)).Status);
    }

    private static void Refused(RawAnswer answer) => Assert.Equal((503, "ServerBusy"), (answer.Status, answer.Code));

    private static async Task HoldsWhatWasThereAsync(PlainBlobClient client, string etag)
    {
        var present = await client.GetAsync(Checkpoint, Cancelled);
        Assert.Equal((200, etag, "1"), (present.Status, present.Headers["ETag"], present.Headers["x-ms-meta-offset"]));
        Assert.Equal("\u0001", (await client.GetAsync("upload", Cancelled)).Body);
        Assert.Equal(404, (await client.GetAsync("ns/hub/g/checkpoint/1", Cancelled)).Status);
    }
}
