using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Logs;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>Creates a session with all its parts for each claimed partition. Ownerships share only faults, stop and limit.</summary>
internal sealed class SessionFactory
{
    // The newest ownership of each partition, to describe what an immediate end would leave.
    private readonly ConcurrentDictionary<string, PartitionSession> latest = new(StringComparer.Ordinal);

    private readonly SharedLimit limit = new(int.MaxValue);

    public required StrategyDescriptor Strategy { get; init; }

    /// <summary>The strategy's options. Their defaults unless given.</summary>
    public StrategyOptionValues? StrategyOptions { get; init; }

    public required int MaxConcurrency { get; init; }

    /// <summary>The seed of a partition's strategy for random numbers.</summary>
    public Func<string, int> GetSeed { get; init; } = static _ => 0;

    /// <summary>The sinks. Their order defines their places.</summary>
    public required IReadOnlyList<ISink<EventSlot>> Sinks { get; init; }

    public required CheckpointOptions Checkpoints { get; init; }

    /// <summary>How many events are collected for a batch. Null passes them on as they arrive.</summary>
    public BatchGathering? Gathering { get; init; }

    /// <summary>How far processing may run ahead. Unless given, the largest that any batch needs.</summary>
    public DispatchLimits Limits { get; init; } = new() { Window = int.MaxValue, Replay = long.MaxValue };

    public required RetryRule Retry { get; init; }

    /// <summary>The rule for events that a sink has failed for good. Ends the processing unless given.</summary>
    public PoisonRule Poison { get; init; } = new() { Policy = PoisonPolicy.Stop, Blocked = new BlockedEvents(_ => { }, TimeProvider.System) };

    /// <summary>Creates further observers of a partition's ownership.</summary>
    public Func<string, IEnumerable<PartitionObserver>> Observers { get; init; } = static _ => [];

    /// <summary>The last event that waited in a partition at the start. Null where the hub is followed.</summary>
    public Func<string, long?> LastOfBacklog { get; init; } = static _ => null;

    /// <summary>
    /// The event that counts as delivered in a partition without a checkpoint: -1 where its first event is expected, null where it is not known.
    /// </summary>
    public long? BeforeFirst { get; init; } = -1;

    /// <summary>Called with the partition and the failure of each checkpoint that is retried. Must not throw.</summary>
    public Action<string, MessagingException>? CheckpointFailed { get; init; }

    /// <summary>Whether writes in flight of a lost partition are cancelled. Otherwise they finish. Default true.</summary>
    public bool CutsLostPartitions { get; init; } = true;

    public required ProcessingFaults Faults { get; init; }

    public required ProcessingStop Stop { get; init; }

    /// <summary>The log. Nothing is written unless given.</summary>
    public ILogger Log { get; init; } = NullLogger.Instance;

    public required TimeProvider TimeProvider { get; init; }

    public PartitionSession Open(IOwnedPartition partition) => Open(partition, Stop);

    /// <summary>Opens a session with its own stop.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="stop">Ends it.</param>
    public PartitionSession Open(IOwnedPartition partition, ProcessingStop stop)
    {
        var ownership = new PartitionOwnership(partition, stop);
        var record = new DeliveredEvents(Sinks.Count);
        var checks = new RunningChecks(partition.PartitionId, Strategy, MaxConcurrency, Limits, record, Faults);
        var signals = new WatermarkSignals();

        // In this order: the checks run before any observer acts, and the signals that cause actions come last.
        PartitionObserver[] observers = [checks, new LogObserver(partition.PartitionId, Log), .. Observers(partition.PartitionId), signals];
        var tracker = new EventTracker(Sinks.Count, TimeProvider, observers);
        foreach (var observer in observers)
        {
            // Another consumer may have stored the last checkpoint between our look and our claim: no event would report it.
            observer.Opened(tracker, partition.StartedFrom?.Position);
        }

        var writer = new CheckpointWriter(tracker, partition.CheckpointAsync, Retry, TimeProvider)
        {
            Observers = observers,
            Check = checks.Storing,
            LogFailure = failure => ReportRetriedCheckpoint(partition.PartitionId, failure),
            Confirmed = signals.Room,
        };
        var deadlines = new DeadlinePool(TimeProvider, ownership.Writes);
        var notices = Sinks.Select((sink, place) => new WriteNotices(sink.Name, partition.PartitionId, place, observers, Log, TimeProvider)).ToArray();
        var sinks = Sinks.Select((sink, place) => Track(sink, place, ownership, tracker, notices[place], deadlines)).ToArray();
        var loop = Strategy.Create(GetContext(ownership, sinks, observers));
        if (loop is IWriteWatcher watcher)
        {
            Array.ForEach(notices, notice => notice.NotifyTo(watcher));
        }

        var session = new PartitionSession
        {
            Ownership = ownership,
            Tracker = tracker,
            Record = record,
            Observers = observers,
            Descriptor = Strategy,
            Strategy = Strategy.IsUnsafe ? new UnsafeBatchEnd(loop, tracker, ownership, Faults, Log) : loop,
            Writer = writer,
            Schedule = GetSchedule(ownership, tracker, writer, signals),
            BatchEnds = new BatchEndPolicy(Checkpoints.Batches, LastOfBacklog(partition.PartitionId)),
            Gate = new DispatchGate(tracker, writer, Limits, signals),
            Deadlines = deadlines,
            Faults = Faults,
            TimeProvider = TimeProvider,
            CutsWhenLost = CutsLostPartitions,
        };
        latest[partition.PartitionId] = session;
        return session;
    }

    /// <summary>Opens a session. Collects its batches where the strategy asks for that.</summary>
    public ISlotHandler OpenHandler(IOwnedPartition partition)
    {
        var session = Open(partition);
        return Gathering is null
            ? session
            : new GatheredBatches(session, Gathering, TimeProvider, failure => Faults.ReportError(failure, partition.PartitionId, session.Ownership.IsEnding));
    }

    /// <summary>The events that would be delivered again if the process ended now.</summary>
    public string DescribeReplay()
    {
        var parts = latest
            .Select(pair => (Partition: pair.Key, Events: pair.Value.Gate.Unconfirmed))
            .Where(part => part.Events > 0)
            .OrderBy(part => part.Partition, StringComparer.Ordinal)
            .Select(part => $"{part.Events} of partition {part.Partition}")
            .ToList();
        return parts.Count == 0 ? "no event will be delivered again" : $"may be delivered again: {string.Join(", ", parts)}";
    }

    /// <summary>The progress of the open ownerships.</summary>
    public IEnumerable<PartitionProgress> ReadProgress()
    {
        foreach (var (partition, session) in latest)
        {
            var tracker = session.Tracker;
            if (tracker.IsClosed)
            {
                continue;
            }

            yield return new PartitionProgress(
                tracker,
                partition,
                tracker.Completed,
                session.Writer.ConfirmedPassed,
                HasWork(session.Gate),
                () => Describe(session)
            );
        }
    }

    /// <summary>The delivery progress of the open partitions. None after processing stops, because the clients then deliver nothing more.</summary>
    public IEnumerable<PartitionDelivery> ReadDeliveries()
    {
        foreach (var (partition, session) in latest)
        {
            if (!session.Tracker.IsClosed && !Stop.Requested.IsCancellationRequested)
            {
                var newest = GetNewest(session) is not long.MinValue and var delivered ? delivered : session.Ownership.StartedAfter ?? BeforeFirst;
                yield return new PartitionDelivery(partition, newest, !HasWork(session.Gate));
            }
        }
    }

    private bool HasWork(DispatchGate gate) => (Checkpoints.Batches > 1 ? gate.Outstanding : gate.Unconfirmed) > 0;

    private static long GetNewest(PartitionSession session)
    {
        lock (session.Tracker.Gate)
        {
            return session.Record.Newest;
        }
    }

    private static string Describe(PartitionSession session)
    {
        var (tracker, record, gate) = (session.Tracker, session.Record, session.Gate);
        lock (tracker.Gate)
        {
            var position = tracker.Watermark >= 0 ? $"watermark at {tracker.Watermark}" : "watermark before its first event";
            var oldest = record.FirstOpen is { } open ? $"oldest incomplete event {open} ({record.Around(open)})" : "no incomplete event";
            return $"{position}, {oldest}, {tracker.InFlight} in flight, {gate.Outstanding} above the watermark, {gate.Unconfirmed} above the checkpoint";
        }
    }

    private StrategyContext GetContext(PartitionOwnership ownership, IReadOnlyList<ITrackedSink> sinks, PartitionObserver[] observers) =>
        new()
        {
            PartitionId = ownership.PartitionId,
            Sinks = sinks,
            MaxConcurrency = MaxConcurrency,
            Window = Limits.Window,
            Options = StrategyOptions ?? StrategyOptionValues.Of(Strategy.Options),
            Lifetime = ownership.Writes,
            Limit = limit,
            Seed = GetSeed(ownership.PartitionId),
            TimeProvider = TimeProvider,
            ReportConcurrency = degree => Array.ForEach(observers, observer => observer.ConcurrencyChanged(degree)),
            ReportFailure = failure => Faults.ReportError(failure, ownership.PartitionId, ownership.IsEnding),
        };

    // One write from the inside out: tries with a time limit, the poison policy, the tracker, the degree where it bounds operations. An unsafe strategy has
    // one try and no policy.
    private ITrackedSink Track(
        ISink<EventSlot> sink,
        int place,
        PartitionOwnership ownership,
        EventTracker tracker,
        WriteNotices notices,
        DeadlinePool deadlines
    )
    {
        var (retry, poison) = Strategy.IsUnsafe ? (Retry with { Limit = 0 }, Poison with { Policy = null }) : (Retry, Poison);
        var write = new SinkWrite(sink, ownership, deadlines, retry, notices, TimeProvider);
        var poisoned = new PoisonedWrite(write, ownership, poison, notices, Faults, retry, TimeProvider);
        var batches = sink is IBatchSink<EventSlot> ? new BatchedWrite(write, ownership, retry, notices, TimeProvider) : null;
        var tracked = new TrackedSink(sink.Name, place, write, batches, poisoned, tracker, ownership, notices, Faults, TimeProvider);
        return Strategy.ConcurrencyBounds == ConcurrencyBound.Operations ? new OperationCheck(tracked, ownership.PartitionId, MaxConcurrency, Faults) : tracked;
    }

    // A strategy that does not wait for a batch has no batch ends to store at.
    private CheckpointSchedule? GetSchedule(PartitionOwnership ownership, EventTracker tracker, CheckpointWriter writer, WatermarkSignals signals)
    {
        var options = Checkpoints.For(Strategy.IsBarrier);
        if (options.EachBatch)
        {
            return null;
        }

        return new CheckpointSchedule(
            tracker,
            writer,
            options,
            signals,
            LastOfBacklog(ownership.PartitionId),
            TimeProvider,
            failure => ReportCheckpointFailure(ownership.PartitionId, failure),
            ownership.Writes
        );
    }

    private void ReportRetriedCheckpoint(string partition, MessagingException failure)
    {
        Logs.Log.CheckpointFailed(Log, partition, failure);
        CheckpointFailed?.Invoke(partition, failure);
    }

    private void ReportCheckpointFailure(string partition, Exception failure)
    {
        if (failure is ProcessingFaultException)
        {
            // Reported where it was raised.
            return;
        }

        var kind = failure is MessagingException ? ProcessingFaultKind.Dependency : ProcessingFaultKind.InvariantBreached;
        Faults.Report(kind, $"checkpoint of partition {partition}: {failure.Message}", failure, partition);
    }
}
