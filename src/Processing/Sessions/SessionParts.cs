using EventHubThroughput.Clients;
using EventHubThroughput.Processing.Checkpointing;
using EventHubThroughput.Processing.Faults;
using EventHubThroughput.Processing.Invariants;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Processing.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing.Sessions;

/// <summary>What a session is made of; all of it belongs to one ownership.</summary>
internal sealed record SessionParts
{
    public required PartitionOwnership Ownership { get; init; }

    public required EventTracker Tracker { get; init; }

    /// <summary>What the checks of invariants go by; nothing is decided by it.</summary>
    public required DeliveredEvents Record { get; init; }

    /// <summary>Everybody who is told what happens, in the order in which they are.</summary>
    public required PartitionObserver[] Observers { get; init; }

    public required StrategyDescriptor Descriptor { get; init; }

    public required IProcessingStrategy Strategy { get; init; }

    public required CheckpointWriter Writer { get; init; }

    /// <summary>Checkpoints by count and time; null stores at each batch end.</summary>
    public CheckpointSchedule? Schedule { get; init; }

    /// <summary>At which batch ends a checkpoint is stored where there is no schedule.</summary>
    public required BatchEndPolicy BatchEnds { get; init; }

    /// <summary>Holds the session back at window and replay limit.</summary>
    public required DispatchGate Gate { get; init; }

    /// <summary>The deadlines of the writes.</summary>
    public required DeadlinePool Deadlines { get; init; }

    public required ProcessingFaults Faults { get; init; }

    public required TimeProvider TimeProvider { get; init; }
}
