using System.Collections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Accepting;

/// <summary>A slot with a user's event. It is also the batch of that one event, so that a batch needs no memory.</summary>
internal sealed class EventSlot<T> : EventSlot, IReadOnlyList<EventSlot>
{
    public required string PartitionId { get; init; }

    public required T Event { get; init; }

    public int Count => 1;

    public EventSlot this[int index] => index == 0 ? this : throw new ArgumentOutOfRangeException(nameof(index), index, "allowed: 0");

    public IEnumerator<EventSlot> GetEnumerator()
    {
        yield return this;
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
