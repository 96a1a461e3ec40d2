using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>Records that a kill removes from the end of the journal are written again from the logs at the next start, unchanged and once.</summary>
public sealed class CutJournalTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-cut").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Data => Directory.CreateDirectory(Path.Combine(_folder, "data")).FullName;

    private string Journal => Path.Combine(_folder, "journal");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_journal_that_is_cut_anywhere_has_the_same_messages_after_the_next_start()
    {
        await RunAsync(async host =>
        {
            Assert.Equal(CreateVerdict.Created, host.Queues.CreateQueue(new QueueSettings("Unique") { DuplicateDetection = TimeSpan.FromHours(1) }));
            Assert.Equal(CreateVerdict.Created, host.Queues.CreateQueue(new QueueSettings("entrance") { ForwardTo = "queue" }));
            Assert.Equal(CreateVerdict.Created, host.Queues.CreateTopic(new TopicSettings("news") { Subscriptions = [new("all"), new("rest")] }));
            Assert.Equal(CreateVerdict.Created, host.Queues.CreateTopic(new TopicSettings("unread") { DuplicateDetection = TimeSpan.FromHours(1) }));
            await using var peer = await Peer.ConnectAsync(host.Settings["SERVICEBUS_CONNECTION_STRING"]);
            await SendAsync(peer, "queue", Encoded.Message("a", messageId: "hub-0-0", properties: new AmqpMap { { "eht-index", 7L }, { "other", "x" } }));
            await SendAsync(peer, "queue", Encoded.Message("without an id"));
            await SendAsync(
                peer,
                "queue",
                Encoded.Batch(null, Encoded.Message("b", messageId: "b"), Encoded.Message("c", messageId: "c")),
                AmqpNames.BatchFormat
            );
            await SendAsync(peer, "unique", Encoded.Message("d", messageId: "d"));
            await SendAsync(
                peer,
                "Unique",
                Encoded.Batch(null, Encoded.Message("d", messageId: "d"), Encoded.Message("e", messageId: "e")),
                AmqpNames.BatchFormat
            );
            await SendAsync(peer, "entrance", Encoded.Message("f", messageId: "f"));
            await SendAsync(peer, "news", Encoded.Message("g", messageId: "g"));
            await SendAsync(peer, "unread", Encoded.Message("h", messageId: "h"));
            await SendAsync(peer, "queue", Later("i"));
            await SendAsync(peer, "news", Later("j"));
            await SendAsync(peer, "queue", Encoded.Message("a", messageId: "hub-0-0"));
        });

        await AssertStoredAfterEveryCutAsync(static records =>
            records
                .OfType<MessageWritten>()
                .Where(static record => record is { Moment: WriteMoment.Stored, Deduplicated: false })
                .Select(static record => $"{record with { Tick = 0, Microseconds = 0, Properties = null, Connection = null }} {GetText(record.Properties)}")
        );
    }

    [Fact]
    public async Task A_journal_that_is_cut_anywhere_has_the_same_blobs_after_the_next_start()
    {
        await RunAsync(async host =>
        {
            await using var clients = new BuiltInClients(
                MessagingSettings.FromEnvironment(host.Settings.GetValueOrDefault, SettingsScope.Consumer).Settings!,
                new BuiltInClientOptions()
            );
            var archive = clients.GetBlobContainer("archive");
            await archive.UploadAsync(Blob("a", "first", ("properties", "AA==")), Cancellation);
            await archive.UploadAsync(Blob("b", "second"), Cancellation);
            await archive.UploadAsync(Blob("b", "again"), Cancellation);
            await clients.GetBlobContainer("deadletters").UploadAsync(Blob("c", "", ("reason", "why")), Cancellation);
            var checkpoints = clients.GetBlobContainer("checkpoints");
            await checkpoints.UploadAsync(Blob("ns/hub/$default/ownership/0", "", ("ownerid", "owner")), Cancellation);
            await checkpoints.UploadAsync(Blob("ns/hub/$default/checkpoint/0", "", ("offset", "12"), ("sequencenumber", "3")), Cancellation);
            var position = new Dictionary<string, string> { ["offset"] = "16", ["sequencenumber"] = "4" };
            await checkpoints.SetMetadataAsync("ns/hub/$default/checkpoint/0", position, BlobCondition.None, Cancellation);
        });

        // Of a blob that was overwritten the data has the last version.
        await AssertStoredAfterEveryCutAsync(static records =>
            records
                .Select(
                    static (string? Subject, string Stored) (record) =>
                        record switch
                        {
                            BlobWritten { Moment: WriteMoment.Stored } blob => (
                                blob.Name,
                                $"{blob with { Tick = 0, Microseconds = 0, Metadata = null }} {GetText(blob.Metadata)}"
                            ),
                            CheckpointWritten { Moment: WriteMoment.Stored } checkpoint => ("checkpoint", $"{checkpoint with { Tick = 0, Microseconds = 0 }}"),
                            OwnershipWritten ownership => ("ownership", $"{ownership with { Tick = 0, Microseconds = 0 }}"),
                            _ => default,
                        }
                )
                .Where(static told => told.Subject is not null)
                .GroupBy(static told => told.Subject)
                .Select(static versions => versions.Last().Stored)
        );
    }

    [Fact]
    public async Task The_first_journal_records_messages_and_blobs_that_were_stored_without_a_journal()
    {
        await using (var host = await EmulatorHost.StartAsync(new EmulatorOptions { DataPath = Data }, Cancellation))
        {
            await using var peer = await Peer.ConnectAsync(host.Settings["SERVICEBUS_CONNECTION_STRING"]);
            await SendAsync(peer, "queue", Encoded.Message("a", messageId: "a"));
            await using var clients = new BuiltInClients(
                MessagingSettings.FromEnvironment(host.Settings.GetValueOrDefault, SettingsScope.Consumer).Settings!,
                new BuiltInClientOptions()
            );
            await clients.GetBlobContainer("archive").UploadAsync(Blob("a", "a"), Cancellation);
        }

        await RunAsync(static _ => Task.CompletedTask);
        await RunAsync(static _ => Task.CompletedTask);
        var records = Records();
        var message = Assert.Single(records.OfType<MessageWritten>());
        Assert.Equal(("queue", "a", 1), (message.Entity, message.MessageId, message.Length));
        Assert.Equal(message.Sha256, Assert.Single(records.OfType<BlobWritten>()).Sha256);
    }

    [Fact]
    public async Task A_queue_that_was_deleted_and_created_again_is_recorded_too()
    {
        await RunAsync(static async host =>
        {
            await using var peer = await Peer.ConnectAsync(host.Settings["SERVICEBUS_CONNECTION_STRING"]);
            Assert.Equal(CreateVerdict.Created, host.Queues.CreateQueue(new QueueSettings("again")));
            await SendAsync(peer, "again", Encoded.Message("old", messageId: "old"));
            Assert.True(host.Queues.DeleteQueue("again"));
            Assert.Equal(CreateVerdict.Created, host.Queues.CreateQueue(new QueueSettings("again")));
            await SendAsync(peer, "again", Encoded.Message("new", messageId: "new"));
        });

        var lines = await File.ReadAllLinesAsync(Journal, Cancellation);
        Cut(
            lines,
            Array.FindIndex(lines, static line => line.Contains("sb.accept", StringComparison.Ordinal) && line.Contains("new", StringComparison.Ordinal))
        );
        await RunAsync(static _ => Task.CompletedTask);
        Assert.Equal(
            ["old", "new"],
            Records().OfType<MessageWritten>().Where(static record => record.Moment == WriteMoment.Stored).Select(static record => record.MessageId)
        );
    }

    private static ReadOnlyMemory<byte> Later(string id) =>
        new AmqpMessage
        {
            MessageAnnotations = new AmqpMap
            {
                { new AmqpSymbol(AmqpNames.ScheduledEnqueueTime), AmqpTimestamp.From(TimeProvider.System.GetUtcNow().AddDays(1)) },
            },
            Properties = new MessageProperties { MessageId = id },
            Body = MessageBody.OfData(Encoding.UTF8.GetBytes(id)),
        }.Encode();

    private static BlobUpload Blob(string name, string content, params (string Name, string Value)[] metadata) =>
        new()
        {
            Name = name,
            Content = Encoding.UTF8.GetBytes(content),
            ContentType = "text/plain",
            Metadata = metadata.ToDictionary(),
        };

    private static string GetText(IReadOnlyDictionary<string, string>? metadata) => string.Join(';', metadata ?? new Dictionary<string, string>());

    private static async Task SendAsync(Peer peer, string entity, ReadOnlyMemory<byte> message, uint format = 0)
    {
        await peer.PutTokenAsync(entity);
        Assert.IsType<Accepted>(await (await peer.SenderAsync(entity)).SendAsync(message, format, Cancellation));
    }

    private async Task AssertStoredAfterEveryCutAsync(Func<IReadOnlyList<JournalRecord>, IEnumerable<string>> list)
    {
        var whole = await File.ReadAllLinesAsync(Journal, Cancellation);
        var expected = Stored();
        Assert.True(expected.Count > 3);
        for (var kept = whole.Length; kept > 0; kept--)
        {
            Cut(whole, kept);
            await RunAsync(static _ => Task.CompletedTask);
            Assert.Equal(expected, Stored());

            // And the one after that has nothing to add.
            await RunAsync(static _ => Task.CompletedTask);
            Assert.Equal(expected, Stored());
        }

        List<string> Stored() => [.. list(Records()).Order(StringComparer.Ordinal)];
    }

    private List<JournalRecord> Records() => [.. JournalFile.Open(Journal).Records];

    private void Cut(string[] lines, int kept) => File.WriteAllText(Journal, string.Concat(lines[..kept].Select(static line => line + "\n")));

    private async Task RunAsync(Func<EmulatorHost, Task> act)
    {
        // Several starts: another program may have taken a port of the last one meanwhile.
        File.Delete(Path.Combine(Data, "ports.json"));
        var options = new EmulatorOptions
        {
            DataPath = Data,
            JournalPath = Journal,
            JournalProperties = ["eht-index"],
        };
        await using var host = await EmulatorHost.StartAsync(options, Cancellation);
        await act(host);
    }
}
