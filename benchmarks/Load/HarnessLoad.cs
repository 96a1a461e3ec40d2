using System.Globalization;
using System.Text;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Events;
using EventHubThroughput.Metrics;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Faults;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Processing.Retrying;
using EventHubThroughput.Processing.Sessions;
using EventHubThroughput.Processing.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Load;

/// <summary>What an event cost.</summary>
/// <param name="Nanoseconds">Time of the thread that processed it.</param>
/// <param name="Bytes">What was allocated for it.</param>
internal readonly record struct HarnessCost(double Nanoseconds, double Bytes);

/// <summary>What a strategy cost that may go on in the background.</summary>
/// <param name="EventsPerSecond">Its rate.</param>
/// <param name="Nanoseconds">Processor time of all threads for an event.</param>
/// <param name="Bytes">What all threads allocated for it.</param>
internal readonly record struct StrategyCost(double EventsPerSecond, double Nanoseconds, double Bytes);

/// <summary>
/// Everything that goes on around two writes but the writes: events in turn, one thread, sinks that have acknowledged when they are called, no
/// checkpoint until the end. Events are made while the clock stands.
/// </summary>
/// <param name="clock">The clock.</param>
/// <param name="events">Events of a round.</param>
internal sealed class HarnessLoad(TimeProvider clock, int events)
{
    private const int BatchSize = 100;
    private const int Ahead = 1_000;
    private const int WarmUp = 20_000;
    private const int Keys = 1_000;

    private static readonly string[] Drawn = DrawKeys();

    /// <summary>The strategy on sinks that nothing stands around: what all others have to be compared with.</summary>
    public async Task<HarnessCost> StrategyAloneAsync(CancellationToken cancellationToken)
    {
        var context = new StrategyContext { Sinks = [new NoTrackedSink(), new NoTrackedSink()], Degree = 1 };
        await using var strategy = StrategyCatalog.All[0].Create(context);
        return await MeasureAsync(batch => strategy.DispatchAsync(batch, cancellationToken));
    }

    /// <summary>A session without and with everything that times, counts and exports.</summary>
    /// <param name="measured">Whether observers measure.</param>
    /// <param name="cancellationToken">Ends it at the next batch.</param>
    public async Task<HarnessCost> SessionAsync(bool measured, CancellationToken cancellationToken)
    {
        await using var session = new HarnessSession(StrategyCatalog.All[0], degree: 1, BatchSize, checkpointed: false, measured, clock);
        return await MeasureAsync(batch => new ValueTask(session.ProcessAsync(batch, cancellationToken)));
    }

    /// <summary>A strategy as a run has it, checkpoints included; what is left of it after the last batch belongs to the time.</summary>
    /// <param name="strategy">The strategy.</param>
    /// <param name="degree">The degree.</param>
    /// <param name="cancellationToken">Ends it at the next batch.</param>
    public async Task<StrategyCost> StrategyAsync(StrategyDescriptor strategy, int degree, CancellationToken cancellationToken)
    {
        await using var session = new HarnessSession(strategy, degree, BatchSize, checkpointed: true, measured: true, clock);
        for (var first = 0L; first < WarmUp; first += BatchSize)
        {
            await session.ProcessAsync(Batch(first), cancellationToken);
        }

        var batches = Enumerable.Range(0, events / BatchSize).Select(place => Batch(WarmUp + (place * BatchSize))).ToArray();
        var (began, processor, allocated) = (clock.GetTimestamp(), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));
        foreach (var batch in batches)
        {
            await session.ProcessAsync(batch, cancellationToken);
        }

        await session.CloseAsync();
        return new StrategyCost(
            events / clock.GetElapsedTime(began).TotalSeconds,
            (Environment.CpuUsage.TotalTime - processor).TotalNanoseconds / events,
            (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / events
        );
    }

    // The first half warms up: code is compiled, rings have grown. Events are made a few batches ahead, as a receiver does it: what was
    // made long before would be fetched from main memory.
    private async Task<HarnessCost> MeasureAsync(Func<EventBatch, ValueTask> processAsync)
    {
        var (elapsed, allocated) = (TimeSpan.Zero, 0L);
        for (var first = 0L; first < 2L * events; first += Ahead)
        {
            var batches = Enumerable.Range(0, Ahead / BatchSize).Select(batch => Batch(first + (batch * BatchSize))).ToArray();
            var before = GC.GetAllocatedBytesForCurrentThread();
            var began = clock.GetTimestamp();
            await ProcessAsync(batches, processAsync);
            if (first >= events)
            {
                elapsed += clock.GetElapsedTime(began);
                allocated += GC.GetAllocatedBytesForCurrentThread() - before;
            }
        }

        return new HarnessCost(elapsed.TotalNanoseconds / events, (double)allocated / events);
    }

    // At random: in turn, all of many keys would be different within any window.
    private static string[] DrawKeys()
    {
        var random = new Random(7);
        var names = Enumerable.Range(0, Keys).Select(static key => string.Create(CultureInfo.InvariantCulture, $"key-{key}")).ToArray();
        return [.. Enumerable.Range(0, 64 * Keys).Select(_ => names[random.Next(Keys)])];
    }

    private static async Task ProcessAsync(EventBatch[] batches, Func<EventBatch, ValueTask> processAsync)
    {
        foreach (var batch in batches)
        {
            var processing = processAsync(batch);
            if (!processing.IsCompletedSuccessfully)
            {
                throw new InvalidOperationException("sinks that have acknowledged when they are called were waited for");
            }

            await processing;
        }
    }

    private static EventBatch Batch(long first) => new(HarnessSession.Partition, [.. Enumerable.Range(0, BatchSize).Select(place => Event(first + place))]);

    private static ReceivedEvent Event(long sequence) =>
        new()
        {
            PartitionId = HarnessSession.Partition,
            SequenceNumber = sequence,
            Offset = sequence.ToString(CultureInfo.InvariantCulture),
            PartitionKey = Drawn[sequence % Drawn.Length],
            EnqueuedTime = DateTimeOffset.UnixEpoch.AddMilliseconds(sequence),
            Body = Encoding.UTF8.GetBytes("body"),
        };

    private sealed class NoTrackedSink : ITrackedSink
    {
        public string Name => "none";

        public ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => default;

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken) => default;
    }
}
