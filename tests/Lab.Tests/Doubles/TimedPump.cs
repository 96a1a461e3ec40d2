using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>A pump in virtual time whose messages, blobs and checkpoints have given durations. Events are in batches of 10.</summary>
/// <param name="strategy">The strategy.</param>
/// <param name="clock">The clock.</param>
internal sealed class TimedPump(StrategyDescriptor strategy, VirtualClock clock)
{
    public const int Batch = 10;
    public static readonly TimeSpan Message = TimeSpan.FromMilliseconds(18);
    public static readonly TimeSpan Blob = TimeSpan.FromMilliseconds(9);
    public static readonly TimeSpan CheckpointTime = TimeSpan.FromMilliseconds(25);

    public int Degree { get; init; } = 8;

    public int? Window { get; init; }

    /// <summary>How long the message of an event takes.</summary>
    public Func<long, TimeSpan> MessageOf { get; init; } = static _ => Message;

    /// <summary>Processes the events of partition 0, up to its end.</summary>
    public async Task RunAsync(int events, params PartitionObserver[] observers)
    {
        var checkpoints = new CheckpointOptions().For(strategy.IsBarrier);
        using var stop = new ProcessingStop(TimeSpan.FromSeconds(10), clock);
        var session = new SessionFactory
        {
            Strategy = strategy,
            MaxConcurrency = strategy.MaxConcurrencyInForce(Degree),
            Sinks = [new Taking(clock, "servicebus", MessageOf), new Taking(clock, "blob", static _ => Blob)],
            Checkpoints = checkpoints,
            Limits = DispatchLimits.For(strategy.IsBarrier, Batch, Degree, checkpoints, Window, replay: null),
            Retry = new RetryRule(),
            Observers = _ => observers,
            Faults = new ProcessingFaults(),
            Stop = stop,
            TimeProvider = clock,
        }.Open(new SlowCheckpoints(clock));
        for (var first = 0; first < events; first += Batch)
        {
            await session.ProcessAsync(Some.Batch(Batch, first: first).Events, CancellationToken.None);
        }

        await session.CloseAsync(PartitionStopReason.Shutdown, CancellationToken.None);
    }

    private sealed class Taking(VirtualClock clock, string name, Func<long, TimeSpan> latency) : ISink<EventSlot>
    {
        public string Name => name;

        public async ValueTask WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
            await clock.DelayAsync(latency(receivedEvent.SequenceNumber), cancellationToken);
    }

    private sealed class SlowCheckpoints(VirtualClock clock) : IOwnedPartition
    {
        public string PartitionId => "0";

        public Checkpoint? StartedFrom => null;

        public CancellationToken Lost => CancellationToken.None;

        public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken) => clock.DelayAsync(CheckpointTime, cancellationToken);
    }
}
