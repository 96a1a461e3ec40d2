using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Accepting;

/// <summary>A slot that carries a user's event.</summary>
internal sealed class EventSlot<T> : EventSlot
{
    public required string PartitionId { get; init; }

    public required T Event { get; init; }
}
