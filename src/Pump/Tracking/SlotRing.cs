using System.Numerics;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Tracking;

/// <summary>One event handed over that the low watermark has not passed.</summary>
internal struct Slot
{
    public long Sequence;
    public string? Offset;

    // Set until it is complete: then only its position is needed.
    public EventSlot? Event;
    public long BegunAt;
    public uint Acknowledged;

    // Sinks that have given it up: the dead-letter store has it for them.
    public uint GivenUp;
    public EventState State;
    public bool Begun;

    /// <summary>Whether the watermark may pass it.</summary>
    public readonly bool MayBePassed => IsComplete || State == EventState.PassedOver;

    /// <summary>Whether every sink has it, or the dead-letter store has it for the sink.</summary>
    public readonly bool IsComplete => State is EventState.Done or EventState.DeadLettered;
}

/// <summary>
/// Events in order of their sequence numbers, added at one end and removed at the other. It grows to the largest window that occurs and then allocates no
/// more. Not for concurrent use.
/// </summary>
internal sealed class SlotRing
{
    private Slot[] slots = new Slot[64];
    private int head;

    public int Count { get; private set; }

    /// <summary>The oldest event.</summary>
    public ref Slot First => ref slots[head];

    /// <summary>The event at this distance from the oldest.</summary>
    public ref Slot this[int distance] => ref slots[(head + distance) & (slots.Length - 1)];

    /// <summary>Adds an event above all others.</summary>
    public void Add(EventSlot receivedEvent)
    {
        if (Count == slots.Length)
        {
            Grow();
        }

        this[Count] = new Slot
        {
            Sequence = receivedEvent.SequenceNumber,
            Offset = receivedEvent.Offset,
            Event = receivedEvent,
        };
        Count++;
    }

    public void RemoveFirst()
    {
        slots[head] = default;
        head = (head + 1) & (slots.Length - 1);
        Count--;
    }

    /// <summary>The distance of the event from the oldest. -1 when it is not here.</summary>
    public int Find(long sequence)
    {
        if (Count == 0)
        {
            return -1;
        }

        // Logs may have gaps. Without one the place follows from the number.
        var distance = sequence - First.Sequence;
        if (distance >= 0 && distance < Count && this[(int)distance].Sequence == sequence)
        {
            return (int)distance;
        }

        var (low, high) = (0, Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            var found = this[middle].Sequence;
            if (found == sequence)
            {
                return middle;
            }

            (low, high) = found < sequence ? (middle + 1, high) : (low, middle - 1);
        }

        return -1;
    }

    private void Grow()
    {
        var larger = new Slot[(int)BitOperations.RoundUpToPowerOf2((uint)Count + 1)];
        for (var i = 0; i < Count; i++)
        {
            larger[i] = this[i];
        }

        (slots, head) = (larger, 0);
    }
}
