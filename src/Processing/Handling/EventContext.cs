using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing;

/// <summary>An event and the value of its JSON body, for a typed handler.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="Event">The event.</param>
/// <param name="Value">The value of its body. Never null.</param>
public readonly record struct EventContext<T>(ReceivedEvent Event, T Value)
    where T : notnull
{
    /// <summary>The partition that the event was read from.</summary>
    public string PartitionId => Event.PartitionId;

    /// <summary>The position of the event in its partition.</summary>
    public EventPosition Position => new(Event.SequenceNumber, Event.Offset);
}
