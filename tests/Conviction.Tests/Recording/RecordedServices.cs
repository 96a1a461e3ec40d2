using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Conviction.Tests.Recording;

/// <summary>
/// A hub with one partition, a queue, containers and a checkpoint store in memory. They keep a journal like the emulator and a ledger like the
/// sender. Every answer comes later than its call, at a time that the schedule draws.
/// </summary>
internal sealed class RecordedServices
{
    public const string Hub = "hub";
    public const string Group = "$Default";
    public const string Partition = "0";

    private const string Run = "run-1";
    private const string CheckpointContainer = "checkpoints";

    private readonly List<LedgerRow> ledger = [];
    private readonly List<JournalRecord> journal = [];
    private readonly Dictionary<(Place, long), int> attempts = [];
    private readonly List<RecordedProcess> processes = [];
    private int links;
    private string? claim;

    /// <param name="schedule">Decides about every delay.</param>
    /// <param name="count">How many events the partition holds.</param>
    /// <param name="keys">The number of their partition keys, or 0.</param>
    /// <param name="body">The body of an event. By default a text that names the event.</param>
    public RecordedServices(Schedule schedule, int count, int keys = 0, Func<int, byte[]>? body = null)
    {
        Schedule = schedule;
        var ofKey = new Dictionary<string, int>(StringComparer.Ordinal);
        for (var i = 0; i < count; i++)
        {
            var key = keys == 0 ? null : $"key-{schedule.Random.Next(keys)}";
            var keyIndex = key is null ? i : ofKey[key] = ofKey.GetValueOrDefault(key, -1) + 1;
            Append(i, key, keyIndex, body?.Invoke(i) ?? Encoding.UTF8.GetBytes($"event {i}"));
        }
    }

    public Schedule Schedule { get; }

    public List<ReceivedEvent> Events { get; } = [];

    /// <summary>What really happened, in order.</summary>
    public IReadOnlyList<JournalRecord> Journal => journal;

    /// <summary>What was really sent, in order.</summary>
    public IReadOnlyList<LedgerRow> Ledger => ledger;

    /// <summary>The longest time that one half of an operation takes, in milliseconds.</summary>
    public int Latency { get; init; } = 5;

    /// <summary>How long an answer takes that comes late.</summary>
    public TimeSpan LateAnswer { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The effect of an attempt. Nothing by default.</summary>
    public Func<Attempt, Effect> Effects { get; set; } = _ => Effect.None;

    /// <summary>The stored checkpoint, or null before the first.</summary>
    public Checkpoint? Stored { get; private set; }

    /// <summary>The stored blobs by container and name.</summary>
    public Dictionary<(string Container, string Name), BlobWritten> Blobs { get; } = [];

    /// <summary>What the stored blobs hold.</summary>
    public Dictionary<(string Container, string Name), ReadOnlyMemory<byte>> Contents { get; } = [];

    /// <summary>The first event that retention has left.</summary>
    public long FirstRetained { get; private set; }

    /// <summary>Whether each owner claims the partition when it takes it.</summary>
    public bool ClaimsForOwners { get; init; }

    /// <summary>Whether readers bring their owner's name along, as official processors do.</summary>
    public bool NamesReaders { get; init; }

    /// <summary>The owner that has claimed the partition last. Empty when it was given up.</summary>
    public string Owner { get; private set; } = string.Empty;

    /// <summary>How often the emulator was started again.</summary>
    public int Restarts { get; private set; }

    /// <summary>A process that begins to use the services.</summary>
    public RecordedProcess Start()
    {
        var process = new RecordedProcess(this, $"client-{processes.Count + 1}");
        processes.Add(process);
        return process;
    }

    public string NewLink() => $"link-{++links}";

    public string NewETag() => $"etag-{journal.Count}";

    public void Write(JournalRecord record) =>
        journal.Add(record with { Tick = journal.Count + 1, Microseconds = (long)Schedule.Clock.Elapsed.TotalMicroseconds });

    /// <summary>An owner claims the partition, or gives it up when the name is empty.</summary>
    public void Claim(string owner)
    {
        Owner = owner;
        var previous = claim;
        claim = NewETag();
        Write(new OwnershipWritten(CheckpointContainer, Hub, Group, Partition, owner, previous, claim));
    }

    /// <summary>The emulator ends and starts again with its data: every connection is gone, and names of links come again.</summary>
    public void Restart()
    {
        Restarts++;
        links = 0;
        Write(new EmulatorStarted());
        processes.ForEach(static process => process.Reconnect());
    }

    /// <summary>Retention takes the oldest events away.</summary>
    public void Expire(int count)
    {
        foreach (var received in Events.Take(count))
        {
            Write(new EventExpired(Hub, Partition, received.SequenceNumber));
        }

        FirstRetained = count;
    }

    public Effect GetEffect(Place place, long sequence)
    {
        var number = attempts[(place, sequence)] = attempts.GetValueOrDefault((place, sequence)) + 1;
        return Effects(new Attempt(place, sequence, number));
    }

    /// <summary>Stores a checkpoint and gives the record of it.</summary>
    public CheckpointWritten Store(EventPosition position, string client)
    {
        var previous = Stored?.ETag;
        Stored = new Checkpoint(Partition, position, client, NewETag());
        var record = new CheckpointWritten(
            WriteMoment.Stored,
            CheckpointContainer,
            Hub,
            Group,
            Partition,
            position.Offset,
            position.SequenceNumber.ToString(CultureInfo.InvariantCulture),
            client,
            previous,
            Stored.ETag
        );
        Write(record);
        return record;
    }

    /// <summary>The verdict on everything so far.</summary>
    public Verdict Judge(OrderPromise promise = OrderPromise.None, long? replayLimit = null) =>
        Verifier.Judge(ledger, journal, GetScope(promise) with { ReplayLimit = replayLimit });

    /// <summary>What is judged.</summary>
    public static VerificationScope GetScope(OrderPromise promise) =>
        new()
        {
            Hub = Hub,
            Group = Group,
            MessageEntity = "queue",
            ArchiveContainer = "archive",
            CheckpointContainer = CheckpointContainer,
            DeadLetterContainer = "deadletters",
            Promise = promise,
        };

    /// <summary>The stamp of a message or event, whose encoded properties are the index alone, or run and index.</summary>
    public static Dictionary<string, string>? GetProperties(ReadOnlyMemory<byte> encoded)
    {
        var text = Encoding.UTF8.GetString(encoded.Span).Split(':');
        return encoded.IsEmpty
            ? null
            : new(StringComparer.Ordinal) { [EventStamp.RunProperty] = text.Length == 1 ? Run : text[0], [EventStamp.IndexProperty] = text[^1] };
    }

    public static string Hash(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));

    private void Append(int index, string? key, int keyIndex, byte[] body)
    {
        var received = new ReceivedEvent
        {
            PartitionId = Partition,
            SequenceNumber = index,
            Offset = $"@{index}",
            PartitionKey = key,
            Body = body,
            ContentType = "text/plain",
            EncodedProperties = Encoding.UTF8.GetBytes(index.ToString(CultureInfo.InvariantCulture)),
        };
        Events.Add(received);
        ledger.Add(new LedgerRow(Run, Hub, key, index, keyIndex, Hash(body), body.Length, 0, 0, SendOutcome.Acked));
        Write(
            new EventAppended(
                Hub,
                Partition,
                index,
                received.Offset,
                Hash(body),
                body.Length,
                received.ContentType,
                Hash(received.EncodedProperties.Span),
                GetProperties(received.EncodedProperties)
            )
        );
    }
}
