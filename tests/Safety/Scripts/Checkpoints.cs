using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Checkpoints that somebody else has written, spoilt or overtaken.</summary>
internal static class Checkpoints
{
    private const string Partition = "0";
    private const string Stranger = "stranger";

    /// <summary>How far from the end of its partition a stored checkpoint is put.</summary>
    public const int Replayed = 60;

    /// <summary>Stores a checkpoint blob with these metadata before anything is recorded.</summary>
    public static Func<Stage, CancellationToken, Task> Store(params (string Name, string Value)[] metadata) =>
        async (stage, token) => await StoreAsync(stage, metadata.ToDictionary(pair => pair.Name, pair => pair.Value, StringComparer.Ordinal), token);

    public static async Task RemoveAsync(Stage stage, CancellationToken token)
    {
        await using BuiltInClients clients = stage.Connect();
        await clients.GetBlobContainer("checkpoints").DeleteAsync(Name(clients, stage), token);
    }

    /// <summary>After a whole run the checkpoint is set back in another client's form; the next run must go on from exactly there.</summary>
    public static Func<Stage, CancellationToken, Task<Finished>> SetBack(Func<EventPosition, Dictionary<string, string>> form) =>
        async (stage, token) =>
        {
            Finished first = await stage.ConsumeAsync(token);
            stage.Expect(first.ExitCode == 0, $"the first run ended with {first.ExitCode}");
            await using (BuiltInClients clients = stage.Connect())
            {
                EventPosition end = (await clients.CheckpointStore.ReadCheckpointAsync(Partition, token))!.Position;

                // The emulator's offsets are its sequence numbers in text, as those of the service are opaque.
                long back = end.SequenceNumber - Replayed;
                await StoreAsync(stage, form(new EventPosition(back, back.ToString(CultureInfo.InvariantCulture))), token);
            }

            return await stage.ConsumeAsync(token);
        };

    public static Dictionary<string, string> OffsetOnly(EventPosition at) => new(StringComparer.Ordinal) { ["offset"] = at.Offset!, ["clientid"] = Stranger };

    public static Dictionary<string, string> SequenceOnly(EventPosition at) =>
        new(StringComparer.Ordinal) { ["sequencenumber"] = at.SequenceNumber.ToString(CultureInfo.InvariantCulture), ["clientid"] = Stranger };

    public static Dictionary<string, string> Placeholder(EventPosition at) => new(SequenceOnly(at), StringComparer.Ordinal) { ["offset"] = "no offset" };

    /// <summary>Somebody else stores a position in mid-run, so many events before the one that is stored.</summary>
    public static Func<Stage, CancellationToken, Task<Finished>> WrittenByAnother(int before) =>
        async (stage, token) =>
        {
            RunningProgram consumer = stage.StartConsumer();
            await stage.ArchivedAsync(0.3 + (0.3 * stage.Cell.Draw(3)), token);
            await using (BuiltInClients clients = stage.Connect())
            {
                EventPosition stored = (await clients.CheckpointStore.ReadCheckpointAsync(Partition, token))!.Position;
                long sequence = Math.Max(0, stored.SequenceNumber - before);
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

    private static string Name(BuiltInClients clients, Stage stage) =>
        CheckpointBlobName.Checkpoint(
            MessagingConnectionString.Parse(stage.Settings["EVENTHUB_CONNECTION_STRING"]).Host,
            stage.Settings["EVENTHUB_NAME"],
            "$Default",
            Partition
        );

    private static async Task StoreAsync(Stage stage, Dictionary<string, string> metadata, CancellationToken token)
    {
        await using BuiltInClients clients = stage.Connect();
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
