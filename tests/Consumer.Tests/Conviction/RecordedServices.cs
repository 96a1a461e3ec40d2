using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Tests.Conviction;

/// <summary>
/// A hub with one partition, a queue, an archive and a checkpoint store in memory that write real journal records to a real
/// journal file, as the emulator does, and a ledger as the sender does. Every answer comes later than its call.
/// </summary>
internal sealed class RecordedServices : IMessageSender, IOwnedPartition, IDisposable
{
    private const string Run = "run";
    private const string Hub = "hub";
    private const string Group = "$Default";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("conviction-");
    private readonly JournalWriter journal;
    private readonly List<ReceivedEvent> events = [];

    public RecordedServices(int count)
    {
        journal = JournalWriter.Open(JournalPath);
        using var ledger = LedgerWriter.Open(LedgerPath);
        for (var i = 0; i < count; i++)
        {
            var body = Encoding.UTF8.GetBytes($"event {i}");
            events.Add(new ReceivedEvent
            {
                PartitionId = "0",
                SequenceNumber = i,
                Offset = $"@{i}",
                Body = body,
                ContentType = "text/plain",
                EncodedProperties = Encoding.UTF8.GetBytes(i.ToString(CultureInfo.InvariantCulture)),
            });
            ledger.Write(new LedgerRow(Run, Hub, null, i, i, Hash(body), body.Length, 0, 0, SendOutcome.Acked));
            journal.Write(new EventAppended(
                Hub, "0", i, $"@{i}", Hash(body), body.Length, "text/plain", Hash(events[i].EncodedProperties.Span), PropertiesOf(events[i].EncodedProperties)));
        }

        Archive = new RecordedArchive(this);
    }

    public IBlobContainer Archive { get; }

    public string PartitionId => "0";

    public Checkpoint? StartedFrom => null;

    public CancellationToken Lost => CancellationToken.None;

    private string JournalPath => Path.Combine(folder.FullName, "journal");

    private string LedgerPath => Path.Combine(folder.FullName, "ledger");

    /// <summary>Delivers the events in batches.</summary>
    public IEnumerable<EventBatch> Batches(int size)
    {
        foreach (var chunk in events.Chunk(size))
        {
            foreach (var received in chunk)
            {
                journal.Write(new EventDelivered(Hub, Group, "0", received.SequenceNumber, "link"));
            }

            yield return new EventBatch("0", chunk);
        }
    }

    public async Task SendAsync(OutgoingMessage message, CancellationToken cancellationToken)
    {
        var record = new MessageWritten(
            WriteMoment.Begun, "queue", message.MessageId, Hash(message.Body.Span), message.Body.Length, message.ContentType,
            Hash(message.EncodedProperties.Span), PropertiesOf(message.EncodedProperties), false);
        journal.Write(record);
        await Task.Yield();
        journal.Write(record with { Moment = WriteMoment.Stored });
        journal.Write(record with { Moment = WriteMoment.Answered });
    }

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        var sequence = position.SequenceNumber.ToString(CultureInfo.InvariantCulture);
        await Task.Yield();
        journal.Write(new CheckpointWritten(WriteMoment.Stored, "checkpoints", Hub, Group, "0", position.Offset, sequence, "client", null, sequence));
    }

    public Verdict Judge()
    {
        journal.Dispose();
        return Verifier.Judge(LedgerFile.Open(LedgerPath), JournalFile.Open(JournalPath), new VerificationScope
        {
            Hub = Hub, Group = Group, MessageEntity = "queue", ArchiveContainer = "archive", CheckpointContainer = "checkpoints",
            DeadLetterContainer = "deadletters", RunFinished = true,
        });
    }

    public Task SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    public void Dispose()
    {
        journal.Dispose();
        folder.Delete(recursive: true);
    }

    private static Dictionary<string, string> PropertiesOf(ReadOnlyMemory<byte> encoded) => new(StringComparer.Ordinal)
    {
        [EventStamp.RunProperty] = Run, [EventStamp.IndexProperty] = Encoding.UTF8.GetString(encoded.Span),
    };

    private static string Hash(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));

    private sealed class RecordedArchive(RecordedServices services) : IBlobContainer
    {
        private readonly ConcurrentDictionary<string, bool> names = new(StringComparer.Ordinal);

        public string Name => "archive";

        public async Task<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken)
        {
            var record = new BlobWritten(
                WriteMoment.Begun, Name, upload.Name, Hash(upload.Content.Span), upload.Content.Length, upload.ContentType, upload.Metadata, null, false);
            services.journal.Write(record);
            await Task.Yield();
            if (upload.Condition.IfAbsent && !names.TryAdd(upload.Name, true))
            {
                throw new MessagingException(FailureKind.Conflict, "exists");
            }

            services.journal.Write(record with { Moment = WriteMoment.Stored, ETag = "1" });
            services.journal.Write(record with { Moment = WriteMoment.Answered, ETag = "1" });
            return "1";
        }

        public Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<bool> ExistsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<BlobProperties> SetMetadataAsync(
            string name, IReadOnlyDictionary<string, string> metadata, BlobCondition condition, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

        public IAsyncEnumerable<BlobProperties> ListAsync(string? prefix, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<bool> DeleteAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
