using System.Collections;
using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Producing;

/// <summary>The operations of a producer, measured in this process with bodies of 1,000 bytes, and partition 0 for batches of one partition.</summary>
internal sealed class ProducerBench(IMessagingClients clients, TimeProvider clock) : IAsyncDisposable
{
    private const int WarmUps = 20;
    private const int Samples = 30;
    private const int Batches = 10_000;
    private const int Enqueued = 10_000;
    private const int Whole = 100_000;
    private const string Partition = "0";

    private static readonly OutgoingEvent Plain = new() { Body = new byte[1_000] };
    private static readonly Dictionary<string, object?> Properties = GetProperties(20);
    private static readonly OutgoingEvent Rich = Plain with { Properties = Properties };

    private readonly IEventHubWriter writer = clients.CreateEventHubWriter();
    private readonly IBufferedEventWriter buffered = clients.CreateBufferedEventWriter();
    private int failed;

    /// <summary>Events of the buffered rows that were not stored.</summary>
    public int Failed => Volatile.Read(ref failed);

    /// <summary>Median milliseconds of a send. Each batch is created before.</summary>
    public Task<double> SendAsync(int events, CancellationToken cancellationToken) =>
        MedianAsync(events, batch => writer.SendAsync(batch, cancellationToken), cancellationToken);

    /// <summary>Microseconds for an empty batch of an open link.</summary>
    public async Task<double> CreateBatchesAsync(CancellationToken cancellationToken)
    {
        long began = 0;
        for (var number = -Batches / 10; number < Batches; number++)
        {
            began = number == 0 ? clock.GetTimestamp() : began;
            await writer.CreateBatchAsync(null, Partition, cancellationToken);
        }

        return clock.GetElapsedTime(began).TotalMicroseconds / Batches;
    }

    /// <summary>Milliseconds to encode 1,000 events into a batch, median.</summary>
    public Task<double> FillBatchesAsync(CancellationToken cancellationToken) => FillAsync(1_000, Plain, cancellationToken);

    /// <summary>Microseconds for each event that is added to a batch.</summary>
    public async Task<double> AddRichAsync(CancellationToken cancellationToken)
    {
        const int Events = 500;
        return 1_000 * await FillAsync(Events, Rich, cancellationToken) / Events;
    }

    /// <summary>How often the properties of an event are read until it is stored. Each encoding reads them once.</summary>
    public async Task<double> CountEncodesAsync(CancellationToken cancellationToken)
    {
        var counting = new CountingProperties(Properties);
        var batch = await BatchOfAsync(10, Plain with { Properties = counting }, cancellationToken);
        await writer.SendAsync(batch, cancellationToken);
        return counting.Readings / 10d;
    }

    /// <summary>Milliseconds until the last of 10,000 events is buffered. They are sent afterwards.</summary>
    public async Task<double> EnqueueAsync(CancellationToken cancellationToken)
    {
        var took = await EnqueueAsync(Enqueued, cancellationToken);
        await buffered.FlushAsync(cancellationToken);
        return took.TotalMilliseconds;
    }

    /// <summary>Milliseconds from the first of 10,000 events until they are flushed.</summary>
    public async Task<double> FlushAsync(CancellationToken cancellationToken)
    {
        var began = clock.GetTimestamp();
        await EnqueueAsync(Enqueued, cancellationToken);
        await buffered.FlushAsync(cancellationToken);
        return clock.GetElapsedTime(began).TotalMilliseconds;
    }

    /// <summary>Events a second, the flush included.</summary>
    public async Task<double> SendBufferedAsync(CancellationToken cancellationToken)
    {
        var began = clock.GetTimestamp();
        await EnqueueAsync(Whole, cancellationToken);
        await buffered.FlushAsync(cancellationToken);
        return Whole / clock.GetElapsedTime(began).TotalSeconds;
    }

    /// <summary>Events a second in the largest batches that the link accepts, one after another.</summary>
    public async Task<double> SendFullBatchesAsync(CancellationToken cancellationToken)
    {
        var began = clock.GetTimestamp();
        for (var sent = 0; sent < Whole; )
        {
            var batch = await writer.CreateBatchAsync(null, Partition, cancellationToken);
            while (sent < Whole && batch.TryAdd(Plain))
            {
                sent++;
            }

            await writer.SendAsync(batch, cancellationToken);
        }

        return Whole / clock.GetElapsedTime(began).TotalSeconds;
    }

    public async ValueTask DisposeAsync()
    {
        await buffered.DisposeAsync();
        await writer.DisposeAsync();
        await clients.DisposeAsync();
    }

    private async Task<TimeSpan> EnqueueAsync(int events, CancellationToken cancellationToken)
    {
        var began = clock.GetTimestamp();
        for (var number = 0; number < events; number++)
        {
            await buffered.AddAsync(Plain, null, Settled, cancellationToken);
        }

        return clock.GetElapsedTime(began);
    }

    private void Settled(MessagingException? failure)
    {
        if (failure is not null)
        {
            Interlocked.Increment(ref failed);
        }
    }

    private Task<double> FillAsync(int events, OutgoingEvent one, CancellationToken cancellationToken) =>
        MedianAsync(
            0,
            batch =>
            {
                Fill(batch, events, one);
                return Task.CompletedTask;
            },
            cancellationToken
        );

    // Median milliseconds of an operation with a batch of plain events. The batch is created before.
    private async Task<double> MedianAsync(int events, Func<IOutgoingEventBatch, Task> operation, CancellationToken cancellationToken)
    {
        List<double> took = [];
        for (var sample = -WarmUps; sample < Samples; sample++)
        {
            var batch = await BatchOfAsync(events, Plain, cancellationToken);
            var began = clock.GetTimestamp();
            await operation(batch);
            if (sample >= 0)
            {
                took.Add(clock.GetElapsedTime(began).TotalMilliseconds);
            }
        }

        return took.Median();
    }

    private async Task<IOutgoingEventBatch> BatchOfAsync(int events, OutgoingEvent one, CancellationToken cancellationToken)
    {
        var batch = await writer.CreateBatchAsync(null, Partition, cancellationToken);
        Fill(batch, events, one);
        return batch;
    }

    private static void Fill(IOutgoingEventBatch batch, int events, OutgoingEvent one)
    {
        for (var number = 0; number < events; number++)
        {
            if (!batch.TryAdd(one))
            {
                throw new FailureException(FailureCause.Verification, $"a batch takes {number} events where {events} are measured");
            }
        }
    }

    // The same number of properties of each type, in turn.
    private static Dictionary<string, object?> GetProperties(int count)
    {
        object[] values = ["station-17", 42, 42L, true, 1.5, Guid.Empty, new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero)];
        return Enumerable
            .Range(0, count)
            .ToDictionary(static number => $"property-{number:D2}", number => (object?)values[number % values.Length], StringComparer.Ordinal);
    }

    private sealed class CountingProperties(Dictionary<string, object?> properties) : IReadOnlyDictionary<string, object?>
    {
        public int Readings { get; private set; }

        public int Count => properties.Count;

        public IEnumerable<string> Keys => properties.Keys;

        public IEnumerable<object?> Values => properties.Values;

        public object? this[string key] => properties[key];

        public bool ContainsKey(string key) => properties.ContainsKey(key);

        public bool TryGetValue(string key, [MaybeNullWhen(false)] out object? value) => properties.TryGetValue(key, out value);

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
        {
            Readings++;
            return properties.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
