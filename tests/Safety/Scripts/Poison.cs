using System.Globalization;
using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Events of partition 0 that Service Bus refuses for good, however often they are tried.</summary>
internal static class Poison
{
    private const string Partition = "0";

    /// <summary>The third of the partition. That and the next but one. Its last event.</summary>
    public static long[] One(long last) => [last / 3];

    public static long[] Pair(long last) => [last / 3, (last / 3) + 2];

    public static long[] Last(long last) => [last];

    /// <summary>The run ends by itself: stopped by the poison, or after it has been laid aside.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> Met(Func<long, long[]> which) =>
        async (stage, token) =>
        {
            (var poison, _) = await ArmAsync(stage, which, token);
            var finished = await stage.ConsumeAsync(token);
            await ExpectHeldBackAsync(stage, finished.ExitCode == 0 ? long.MaxValue : poison[0], token);
            return finished;
        };

    /// <summary>
    /// The poison becomes dead letters, its cause goes, and the dead letters are written again while the consumer runs. It follows the hub, so that
    /// it runs until the queue has every event. The redrive writes the last of them if the consumer was faster.
    /// </summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> RedrivenMeanwhile(Func<long, long[]> which) =>
        async (stage, token) =>
        {
            (var poison, _) = await ArmAsync(stage, which, token);
            var consumer = stage.StartConsumer();
            await stage.DeadLetteredAsync(poison.Length, token);
            await stage.Administration.DisarmAsync(token);
            await stage.RedriveAsync(token);
            stage.Expect(!consumer.HasEnded, "the run ended before the redrive");
            await stage.RecordedAsync("sb.accept", stage.Cell.Events, token);
            await consumer.SignalAsync("TERM");
            return await stage.EndAsync(consumer, token);
        };

    /// <summary>The run is held by the poison until it is asked to end. Everything else is done before that.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> Blocking(Func<long, long[]> which) =>
        async (stage, token) =>
        {
            (var poison, var size) = await ArmAsync(stage, which, token);
            var consumer = stage.StartConsumer();
            await stage.ArchivedAsync((stage.Cell.Events - size + poison[0]) / (double)stage.Cell.Events, token);
            await stage.RecordedAsync("fault", poison.Length + 1, token);
            await consumer.SignalAsync("TERM");
            var finished = await stage.EndAsync(consumer, token);
            await ExpectHeldBackAsync(stage, poison[0], token);
            stage.Expect(await CheckpointAsync(stage, token) == poison[0] - 1, $"the last checkpoint is not just before event {poison[0]}");
            return finished;
        };

    /// <summary>Other bytes are under the name of an event before anything is recorded: an older run's, or a stranger's.</summary>
    public static async Task LayStrangersBlobAsync(Stage stage, CancellationToken token)
    {
        await using var clients = stage.Connect();
        await clients
            .GetBlobContainer("archive")
            .UploadAsync(new Clients.Blobs.BlobUpload { Name = StrangersBlob, Content = "other bytes"u8.ToArray() }, token);
    }

    public static async Task RemoveStrangersBlobAsync(Stage stage, CancellationToken token)
    {
        await using var clients = stage.Connect();
        stage.Expect(
            (await clients.GetBlobContainer("archive").DownloadAsync(StrangersBlob, token)).Span.SequenceEqual("other bytes"u8),
            "the stranger's blob was overwritten"
        );
        await clients.GetBlobContainer("archive").DeleteAsync(StrangersBlob, token);
    }

    /// <summary>Held by the stranger's blob until it is asked to end.</summary>
    public static async Task<FinishedProcess> BlockedByStrangersBlobAsync(Stage stage, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        await stage.ArchivedAsync(0.5, token);
        await consumer.SignalAsync("TERM");
        return await stage.EndAsync(consumer, token);
    }

    private static string StrangersBlob => string.Create(CultureInfo.InvariantCulture, $"hub/{Partition}/{40:D20}");

    private static async Task<(long[] Poison, long Size)> ArmAsync(Stage stage, Func<long, long[]> which, CancellationToken token)
    {
        await using var clients = stage.Connect();
        var last = (await clients.GetPartitionPropertiesAsync(Partition, token)).LastSequenceNumber;
        var poison = which(last);
        await stage.Administration.ArmAsync(
            poison.Select(sequence =>
                string.Create(CultureInfo.InvariantCulture, $"name=poison&at=messageSend&do=refuse&reason=too-large&detail=hub-{Partition}-{sequence}")
            ),
            token
        );
        return (poison, last + 1);
    }

    private static async Task ExpectHeldBackAsync(Stage stage, long poison, CancellationToken token) =>
        stage.Expect(await CheckpointAsync(stage, token) < poison, $"a checkpoint has passed event {poison}");

    private static async Task<long> CheckpointAsync(Stage stage, CancellationToken token)
    {
        await using var clients = stage.Connect();
        return (await clients.CheckpointStore.ReadCheckpointAsync(Partition, token))?.Position.SequenceNumber ?? -1;
    }
}
