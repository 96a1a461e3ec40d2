namespace EventHubThroughput.Events;

/// <summary>An event as a strategy and the pump see it: its position in its partition, and its key. Only sinks and handlers see its other members.</summary>
public class EventSlot
{
    /// <summary>The event's number within its partition. Orders events. Numbers rise, and may have gaps.</summary>
    public required long SequenceNumber { get; init; }

    /// <summary>The key by which strategies keep order: events of equal keys are ordered. Null for an event without a key.</summary>
    public string? Key { get; init; }

    /// <summary>The event's position marker, opaque text that is stored with a checkpoint. Null where the source has none.</summary>
    public string? Offset { get; init; }
}
