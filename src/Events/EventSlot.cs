namespace EventHubThroughput.Events;

/// <summary>
/// An event as a strategy and the pump see it: its place in its partition, and its key. What else it carries is known to sinks and handlers only.
/// </summary>
public class EventSlot
{
    /// <summary>The event's number within its partition. Orders events. Numbers rise, and may have gaps.</summary>
    public required long SequenceNumber { get; init; }

    /// <summary>What strategies by key keep in order: events of equal keys. Null for an event without a key.</summary>
    public string? Key { get; init; }

    /// <summary>The event's position marker, opaque text that is stored with a checkpoint. Null where the source has none.</summary>
    public string? Offset { get; init; }
}
