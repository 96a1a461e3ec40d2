using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Checkpoints that another client has written, spoilt or overtaken.</summary>
internal static class Checkpoints
{
    private const string Partition = "0";
    private const string Stranger = "stranger";

    /// <summary>How far from the end of its partition a stored checkpoint is put.</summary>
    public const int Replayed = 60;

    /// <summary>Stores a checkpoint blob with these metadata before anything is recorded.</summary>
    public static Func<Stage, CancellationToken, Task> Store(params (string Name, string Value)[] metadata) =>
        async (stage, token) => await StoreAsync(stage, metadata.ToDictionary(pair => pair.Name, pair => pair.Value, StringComparer.Ordinal), token);

    /// <summary>Blobs of another program are among the ownerships and checkpoints.</summary>
    public static async Task PutForeignAsync(Stage stage, CancellationToken token)
    {
        await using var clients = stage.Connect();
        var checkpoint = Name(clients, stage);
        foreach (
            var name in new[]
            {
                "README.md",
                "backup/0",
                checkpoint[..^1] + "README.md",
                checkpoint.Replace("/checkpoint/0", "/ownership/README.md", StringComparison.Ordinal),
            }
        )
        {
            await clients.GetBlobContainer("checkpoints").UploadAsync(new BlobUpload { Name = name, Content = "text"u8.ToArray() }, token);
        }
    }

    public static async Task RemoveAsync(Stage stage, CancellationToken token)
    {
        await using var clients = stage.Connect();
        await clients.GetBlobContainer("checkpoints").DeleteAsync(Name(clients, stage), token);
    }

    /// <summary>After a whole run the checkpoint is set back in another client's form. The next run must continue from exactly there.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> SetBack(Func<EventPosition, Dictionary<string, string>> form) =>
        async (stage, token) =>
        {
            var first = await stage.ConsumeAsync(token);
            stage.Expect(first.ExitCode == 0, $"the first run ended with {first.ExitCode}");
            await using (var clients = stage.Connect())
            {
                var end = (await clients.CheckpointStore.ReadCheckpointAsync(Partition, token))!.Position;

                // The emulator's offsets are its sequence numbers in text, as those of the service are opaque.
                var back = end.SequenceNumber - Replayed;
                await StoreAsync(stage, form(new EventPosition(back, back.ToString(CultureInfo.InvariantCulture))), token);
            }

            return await stage.ConsumeAsync(token);
        };

    public static Dictionary<string, string> OffsetOnly(EventPosition at) => new(StringComparer.Ordinal) { ["offset"] = at.Offset!, ["clientid"] = Stranger };

    public static Dictionary<string, string> SequenceOnly(EventPosition at) =>
        new(StringComparer.Ordinal) { ["sequencenumber"] = at.SequenceNumber.ToString(CultureInfo.InvariantCulture), ["clientid"] = Stranger };

    public static Dictionary<string, string> Placeholder(EventPosition at) => new(SequenceOnly(at), StringComparer.Ordinal) { ["offset"] = "no offset" };

    /// <summary>Another client stores a position in mid-run, this number of events before the stored one.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> WrittenByAnother(int before) =>
        async (stage, token) =>
        {
            var consumer = stage.StartConsumer();
            await stage.ArchivedAsync(0.3 + (0.3 * stage.Cell.Draw(3)), token);
            await using (var clients = stage.Connect())
            {
                var stored = await StoredAsync(clients, token);
                var sequence = Math.Max(0, stored.SequenceNumber - before);
                await clients.CheckpointStore.WriteCheckpointAsync(
                    Partition,
                    new EventPosition(sequence, sequence.ToString(CultureInfo.InvariantCulture)),
                    Stranger,
                    null,
                    fenced: false,
                    token
                );
            }

            return await stage.EndAsync(consumer, token);
        };

    private static async Task<EventPosition> StoredAsync(BuiltInClients clients, CancellationToken token)
    {
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        while (true)
        {
            if (await clients.CheckpointStore.ReadCheckpointAsync(Partition, token) is { } stored)
            {
                return stored.Position;
            }

            await look.WaitForNextTickAsync(token);
        }
    }

    private static string Name(BuiltInClients clients, Stage stage) =>
        CheckpointBlobName.Checkpoint(
            MessagingConnectionString.Parse(stage.Settings["EVENTHUB_CONNECTION_STRING"]).Host,
            stage.Settings["EVENTHUB_NAME"],
            "$Default",
            Partition
        );

    private static async Task StoreAsync(Stage stage, Dictionary<string, string> metadata, CancellationToken token)
    {
        await using var clients = stage.Connect();
        await clients
            .GetBlobContainer("checkpoints")
            .UploadAsync(
                new BlobUpload
                {
                    Name = Name(clients, stage),
                    Content = ReadOnlyMemory<byte>.Empty,
                    Metadata = metadata,
                },
                token
            );
    }
}
