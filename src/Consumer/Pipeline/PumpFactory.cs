using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Invariants;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>Makes a pump with everything that belongs to it for each partition that is taken: nothing is shared between ownerships.</summary>
internal sealed class PumpFactory
{
    // The newest ownership of each partition, for whoever asks what an end at once would leave.
    private readonly ConcurrentDictionary<string, (LowWatermark Watermark, CheckpointWriter Writer, DeliveredEvents Delivered)> latest = new(
        StringComparer.Ordinal
    );

    public required StrategyDescriptor Strategy { get; init; }

    public required int Degree { get; init; }

    /// <summary>The sinks in the order of <see cref="Stage"/>.</summary>
    public required IReadOnlyList<ISink> Sinks { get; init; }

    public required CheckpointOptions Checkpoints { get; init; }

    /// <summary>How far processing may run ahead; the largest that any batch needs unless given.</summary>
    public DispatchLimits Limits { get; init; } = new() { Window = int.MaxValue, Replay = long.MaxValue };

    public required RetryRule Retry { get; init; }

    /// <summary>What becomes of events that a sink has failed for good; ends the run unless given.</summary>
    public PoisonRule Poison { get; init; } = new() { Policy = PoisonPolicy.Stop, Blocked = new BlockedEvents(_ => { }, TimeProvider.System) };

    public required RunMeasurement Measurement { get; init; }

    public required ConsumerMetrics Metrics { get; init; }

    public required RunFaults Faults { get; init; }

    public required RunStop Stop { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    /// <summary>Where the process is to die, for tests of crashes.</summary>
    public KillSwitch KillSwitch { get; init; } = KillSwitch.Off;

    /// <summary>Told of each confirmed position.</summary>
    public required Action<string, EventPosition> Confirmed { get; init; }

    public PartitionPump Open(IOwnedPartition partition)
    {
        // Another consumer may have stored the last checkpoint between our look and our claim: no event will tell of it.
        if (partition.StartedFrom is { } started)
        {
            Confirmed(partition.PartitionId, started.Position);
        }

        var incarnation = new Incarnation(partition.PartitionId, Sinks.Count, Stop, partition.Lost) { KillSwitch = KillSwitch };
        var meters = new PartitionMeters(partition.PartitionId, Measurement, Metrics, incarnation.Watermark);
        var delivered = incarnation.Delivered;
        var checkpoint = new CheckpointCheck(partition.PartitionId, delivered, Faults);
        DispatchGate? gate = null;
        var writer = new CheckpointWriter(
            incarnation.Watermark,
            partition.CheckpointAsync,
            Retry,
            TimeProvider,
            attempt =>
            {
                meters.Checkpointed(attempt);
                if (attempt.Stored)
                {
                    checkpoint.Stored(attempt.Reading.Position);
                    Confirmed(partition.PartitionId, attempt.Reading.Position);
                    gate?.Changed();
                }
            },
            checkpoint.BeforeStoring
        );
        gate = new DispatchGate(incarnation.Watermark, writer, Limits);
        latest[partition.PartitionId] = (incarnation.Watermark, writer, delivered);
        var schedule = ScheduleOf(partition.PartitionId, incarnation, writer);
        void Advanced()
        {
            schedule?.Advanced();
            gate.Changed();
        }

        var window = new WindowCheck(partition.PartitionId, Degree, Limits, delivered, Faults);
        var order = new OrderCheck(partition.PartitionId, Strategy, delivered, Faults);
        var deadlines = new DeadlinePool(TimeProvider);
        var poisoned = new PoisonedWrites(incarnation, Poison, Faults, Retry, TimeProvider);
        return new PartitionPump(
            new PumpParts
            {
                Incarnation = incarnation,
                Descriptor = Strategy,
                Strategy = Strategy.Create(new StrategyContext { Degree = Degree, TimeProvider = TimeProvider }),
                Sinks =
                [
                    .. Sinks.Select(
                        (sink, place) =>
                            new TrackedSink(sink, (Stage)place, incarnation, meters, Faults, Retry, poisoned, deadlines, window, order, TimeProvider, Advanced)
                    ),
                ],
                Writer = writer,
                Schedule = schedule,
                Gate = gate,
                Window = window,
                Meters = meters,
                Faults = Faults,
                TimeProvider = TimeProvider,
            }
        );
    }

    /// <summary>Which events would be delivered again if the process ended now.</summary>
    public string DescribeReplay()
    {
        var parts = latest
            .Select(pair => (Partition: pair.Key, Events: DispatchLoad.Of(pair.Value.Watermark, pair.Value.Writer).Unconfirmed))
            .Where(part => part.Events > 0)
            .OrderBy(part => part.Partition, StringComparer.Ordinal)
            .Select(part => $"{part.Events} of partition {part.Partition}")
            .ToList();
        return parts.Count == 0 ? "nothing will be delivered again" : $"may be delivered again: {string.Join(", ", parts)}";
    }

    /// <summary>How far the open ownerships have come.</summary>
    public IEnumerable<PartitionProgress> ReadProgress()
    {
        foreach (var (partition, (watermark, writer, delivered)) in latest)
        {
            if (watermark.IsClosed)
            {
                continue;
            }

            var load = DispatchLoad.Of(watermark, writer);
            yield return new PartitionProgress(
                watermark,
                partition,
                watermark.Completed,
                writer.ConfirmedPassed,
                load.Unconfirmed > 0,
                () => Describe(watermark, load, delivered)
            );
        }
    }

    private static string Describe(LowWatermark watermark, DispatchLoad load, DeliveredEvents delivered)
    {
        var position = watermark.Read() is { } reading ? $"watermark at {reading.Position.SequenceNumber}" : "watermark before its first event";
        var oldest = delivered.FirstOpen is { } open ? $"oldest incomplete event {open} ({delivered.Around(open)})" : "no incomplete event";
        return $"{position}, {oldest}, {watermark.InFlight} in flight, {load.Outstanding} above the watermark, {load.Unconfirmed} above the checkpoint";
    }

    // A strategy that goes on has no batch ends to store at.
    private CheckpointSchedule? ScheduleOf(string partition, Incarnation incarnation, CheckpointWriter writer)
    {
        if (Checkpoints.EachBatch && Strategy.IsBarrier)
        {
            return null;
        }

        var options = Checkpoints.EachBatch ? CheckpointOptions.From(CheckpointOptions.UsualEvents, null) : Checkpoints;
        return new CheckpointSchedule(
            incarnation.Watermark,
            writer,
            new CheckpointPolicy(options, TimeProvider),
            TimeProvider,
            failure => ReportCheckpointFailure(partition, failure),
            incarnation.Writes
        );
    }

    private void ReportCheckpointFailure(string partition, Exception failure)
    {
        if (failure is RunFaultException)
        {
            // Reported where it was raised.
            return;
        }

        var code = failure is MessagingException ? ExitCode.Dependency : ExitCode.InvariantBreached;
        Faults.Report(code, $"checkpoint of partition {partition}: {failure.Message}", failure);
    }
}
