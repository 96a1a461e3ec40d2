using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Invariants;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>What a pump is made of; all of it belongs to one incarnation.</summary>
internal sealed record PumpParts
{
    public required Incarnation Incarnation { get; init; }

    public required StrategyDescriptor Descriptor { get; init; }

    public required IProcessingStrategy Strategy { get; init; }

    /// <summary>The sinks as the strategy sees them, tracked.</summary>
    public required IReadOnlyList<ISink> Sinks { get; init; }

    public required CheckpointWriter Writer { get; init; }

    /// <summary>Checkpoints by count and time; null stores at each batch end.</summary>
    public CheckpointSchedule? Schedule { get; init; }

    /// <summary>Holds the pump back at window and replay limit.</summary>
    public required DispatchGate Gate { get; init; }

    public required WindowCheck Window { get; init; }

    public required PartitionMeters Meters { get; init; }

    public required RunFaults Faults { get; init; }

    public required TimeProvider TimeProvider { get; init; }
}
