using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Tests;

/// <summary>An event hub that remembers the sent events. Duration and end of a send are set by a test.</summary>
internal sealed class RecordingWriter : IEventHubWriter
{
    private readonly Lock gate = new();
    private readonly List<SentBatch> sent = [];
    private int started;

    /// <summary>Most bytes of bodies in one batch.</summary>
    public int SizeLimit { get; init; } = int.MaxValue;

    /// <summary>What send number n, from 0, does before it is stored.</summary>
    public Func<int, CancellationToken, Task> OnSend { get; init; } = (_, _) => Task.CompletedTask;

    public Func<string?, Exception?> OnCreate { get; init; } = _ => null;

    public int InFlight { get; private set; }

    public int MostInFlight { get; private set; }

    public IReadOnlyList<SentBatch> Sent
    {
        get
        {
            lock (gate)
            {
                return [.. sent];
            }
        }
    }

    public IEnumerable<OutgoingEvent> Events => Sent.SelectMany(batch => batch.Events);

    public Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return OnCreate(partitionKey) is { } failure
            ? Task.FromException<IOutgoingEventBatch>(failure)
            : Task.FromResult<IOutgoingEventBatch>(new Batch(partitionKey, partitionId, SizeLimit));
    }

    public async Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken)
    {
        int number;
        lock (gate)
        {
            number = started++;
            InFlight++;
            MostInFlight = Math.Max(MostInFlight, InFlight);
        }

        try
        {
            await OnSend(number, cancellationToken);
            lock (gate)
            {
                sent.Add(((Batch)batch).ToSent());
            }
        }
        finally
        {
            lock (gate)
            {
                InFlight--;
            }
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private sealed class Batch(string? key, string? partition, int sizeLimit) : IOutgoingEventBatch
    {
        private readonly List<OutgoingEvent> events = [];

        public int Count => events.Count;

        public long SizeInBytes { get; private set; }

        public long MaximumSizeInBytes => sizeLimit;

        public bool TryAdd(OutgoingEvent outgoingEvent)
        {
            if (SizeInBytes + outgoingEvent.Body.Length > sizeLimit)
            {
                return false;
            }

            SizeInBytes += outgoingEvent.Body.Length;
            events.Add(outgoingEvent);
            return true;
        }

        public SentBatch ToSent() => new(key, partition, [.. events]);
    }
}

internal sealed record SentBatch(string? Key, string? Partition, IReadOnlyList<OutgoingEvent> Events)
{
    public IEnumerable<long> Indexes => Events.Select(sent => EventStamp.Read(sent.Properties)!.Index);
}
