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

/// <summary>
/// The session of one partition as a run has it, on two sinks that have acknowledged when they are called; the first takes batches
/// from a strategy that makes them.
/// </summary>
internal sealed class HarnessSession : IAsyncDisposable
{
    public const string Partition = "0";

    private static readonly string[] Names = ["servicebus", "blob"];

    private readonly ProcessingStop stop;
    private readonly RunMeasurement measurement;
    private readonly ProcessingFaults faults = new();
    private readonly PartitionSession session;
    private bool isClosed;

    /// <param name="strategy">The strategy.</param>
    /// <param name="degree">Its degree.</param>
    /// <param name="batch">Events of a batch.</param>
    /// <param name="checkpointed">Whether checkpoints are made as usual; else none before the end.</param>
    /// <param name="measured">Whether observers measure.</param>
    /// <param name="clock">The clock.</param>
    public HarnessSession(StrategyDescriptor strategy, int degree, int batch, bool checkpointed, bool measured, TimeProvider clock)
    {
        stop = new ProcessingStop(TimeSpan.FromSeconds(10), clock);
        measurement = new RunMeasurement(clock, emulator: null, new RunStages(Names));
        var labels = new RunLabels
        {
            Run = "harness",
            Strategy = strategy.Name,
            Degree = degree,
            Batch = batch,
            Version = "0",
        };
        var metrics = new ConsumerMetrics(new MetricRegistry(), labels, 1, measurement, clock);
        var checkpoints = checkpointed ? new CheckpointOptions().For(strategy.IsBarrier) : new CheckpointOptions { Events = int.MaxValue };
        session = new SessionFactory
        {
            Strategy = strategy,
            Degree = degree,
            Sinks = [new NoBatchSink(Names[0]), new NoSink(Names[1])],
            Checkpoints = checkpoints,
            Limits = DispatchLimits.For(strategy.IsBarrier, batch, degree, checkpoints, window: null, replay: checkpointed ? null : int.MaxValue),
            Retry = new RetryRule(),
            Observers = partition => measured ? [new PartitionMeters(partition, measurement, metrics, clock)] : Array.Empty<PartitionObserver>(),
            Faults = faults,
            Stop = stop,
            TimeProvider = clock,
        }.Open(new NoCheckpoints());
    }

    public Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken) => session.ProcessAsync(batch, cancellationToken);

    /// <summary>Waits for all that is under way.</summary>
    /// <exception cref="InvalidOperationException">Something went wrong on the way, so that the figures tell nothing.</exception>
    public async Task CloseAsync()
    {
        if (!isClosed)
        {
            isClosed = true;
            await session.CloseAsync(PartitionStopReason.Shutdown, CancellationToken.None);
            if (faults.All.Count > 0)
            {
                throw new InvalidOperationException(faults.All[0].Message);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await CloseAsync();
        measurement.Dispose();
        stop.Dispose();
    }

    private sealed class NoSink(string name) : ISink
    {
        public string Name => name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }

    private sealed class NoBatchSink(string name) : IBatchSink
    {
        // As many as Service Bus has in one operation here.
        private const int Largest = 100;

        // Every answer is the same: no failure, for as many events as there were.
        private readonly Exception?[][] answers = [.. Enumerable.Range(0, Largest + 1).Select(static count => new Exception?[count])];

        public string Name => name;

        public int LargestBatch => Largest;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken) =>
            new(answers[events.Count]);
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
