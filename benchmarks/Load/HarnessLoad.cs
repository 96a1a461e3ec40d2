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
    private const string Partition = "0";

    private static readonly string[] Names = ["servicebus", "blob"];

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
        using var stop = new ProcessingStop(TimeSpan.FromSeconds(10), clock);
        var stages = new RunStages(Names);
        using var measurement = new RunMeasurement(clock, emulator: null, stages);
        var labels = new RunLabels
        {
            Run = "harness",
            Strategy = StrategyCatalog.All[0].Name,
            Degree = 1,
            Batch = BatchSize,
            Version = "0",
        };
        var metrics = new ConsumerMetrics(new MetricRegistry(), labels, 1, measurement, clock);
        var faults = new ProcessingFaults();
        var session = new SessionFactory
        {
            Strategy = StrategyCatalog.All[0],
            Degree = 1,
            Sinks = [.. Names.Select(static name => new NoSink(name))],
            Checkpoints = new CheckpointOptions { Events = int.MaxValue },
            Retry = new RetryRule(),
            Observers = partition => measured ? [new PartitionMeters(partition, measurement, metrics, clock)] : Array.Empty<PartitionObserver>(),
            Faults = faults,
            Stop = stop,
            TimeProvider = clock,
        }.Open(new NoCheckpoints());
        var cost = await MeasureAsync(batch => new ValueTask(session.ProcessAsync(batch, cancellationToken)));
        await session.CloseAsync(PartitionStopReason.Shutdown, CancellationToken.None);
        return faults.All.Count == 0 ? cost : throw new InvalidOperationException(faults.All[0].Message);
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

    private static EventBatch Batch(long first) => new(Partition, [.. Enumerable.Range(0, BatchSize).Select(place => Event(first + place))]);

    private static ReceivedEvent Event(long sequence) =>
        new()
        {
            PartitionId = Partition,
            SequenceNumber = sequence,
            Offset = sequence.ToString(CultureInfo.InvariantCulture),
            EnqueuedTime = DateTimeOffset.UnixEpoch.AddMilliseconds(sequence),
            Body = Encoding.UTF8.GetBytes("body"),
        };

    private sealed class NoSink(string name) : ISink
    {
        public string Name => name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }

    private sealed class NoTrackedSink : ITrackedSink
    {
        public string Name => "none";

        public ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => default;

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken) => default;
    }

    private sealed class NoCheckpoints : IOwnedPartition
    {
        public string PartitionId => Partition;

        public Checkpoint? StartedFrom => null;

        public CancellationToken Lost => CancellationToken.None;

        public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
