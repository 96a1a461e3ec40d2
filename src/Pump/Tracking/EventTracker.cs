using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Tracking;

/// <summary>
/// The life of every event of one ownership of a partition: handed over, begun, acknowledged by each sink (or stored in the dead-letter store for it),
/// complete. It determines the low watermark: the highest position up to and including which every event is complete. There is one for each ownership, so
/// that an earlier one cannot move it.
/// </summary>
/// <remarks>
/// "Next" is the next event handed over, not sequence + 1, because logs may have gaps. Offsets are opaque, so sequence numbers define the order. All members
/// may be called from any thread. After the ring has grown to the largest window, no call allocates. The observers are called under the lock, in their order.
/// An exception of one stops the write.
/// </remarks>
internal sealed class EventTracker : IPartitionLoad
{
    private readonly uint everySink;
    private readonly TimeProvider timeProvider;
    private readonly PartitionObserver[] observers;

    // Everything below is written only under the gate. Single numbers are read without it.
    private readonly SlotRing ring = new();
    private int inFlight;
    private long handedOver;
    private long passed;
    private long watermark = -1;
    private long completed;
    private long late;
    private long newest = long.MinValue;
    private long newestBegun = long.MinValue;
    private long lastToBegin = long.MaxValue;
    private EventPosition position;
    private volatile bool closed;

    /// <param name="sinks">How many sinks each event goes to.</param>
    /// <param name="timeProvider">The clock of the timestamps.</param>
    /// <param name="observers">Receive the four moments.</param>
    public EventTracker(int sinks, TimeProvider timeProvider, params PartitionObserver[] observers)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sinks, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sinks, MostSinks);
        everySink = (1u << sinks) - 1;
        this.timeProvider = timeProvider;
        this.observers = observers;
    }

    /// <summary>The lock of everything here. The records of the observers that the tracker notifies are read under it as well.</summary>
    public Lock Gate { get; } = new();

    /// <summary>The most sinks that an event may go to.</summary>
    public const int MostSinks = 31;

    /// <summary>Events begun at a sink and neither complete nor given up.</summary>
    public int InFlight => Volatile.Read(ref inFlight);

    /// <summary>Events handed over that the low watermark has not passed.</summary>
    /// <remarks>Read in this order: concurrent progress makes the result larger than it is, never smaller.</remarks>
    public int Outstanding => (int)(-Passed + HandedOver);

    /// <summary>Events handed over.</summary>
    public long HandedOver => Volatile.Read(ref handedOver);

    /// <summary>Events that the low watermark has passed.</summary>
    public long Passed => Volatile.Read(ref passed);

    /// <summary>The sequence number of the low watermark. -1 while the first event is not complete.</summary>
    public long Watermark => Volatile.Read(ref watermark);

    /// <summary>Events that became complete.</summary>
    public long Completed => Volatile.Read(ref completed);

    /// <summary>Whether the ownership has ended.</summary>
    public bool IsClosed => closed;

    /// <summary>Acknowledgements after the ownership had ended.</summary>
    public long Late => Volatile.Read(ref late);

    /// <summary>The position that may be stored now. Null while the first event is not complete.</summary>
    /// <param name="check">Called with the position under the lock. Its exception is thrown.</param>
    public WatermarkReading? Read(Action<EventPosition>? check = null)
    {
        lock (Gate)
        {
            if (passed == 0)
            {
                return null;
            }

            check?.Invoke(position);
            return new WatermarkReading(position, passed);
        }
    }

    /// <summary>Records events that are handed over. False when one is not above all earlier ones (its number is returned).</summary>
    public bool TryHandOver(IReadOnlyList<EventSlot> events, out long offender)
    {
        lock (Gate)
        {
            for (var i = 0; i < events.Count; i++)
            {
                var received = events[i];
                if (received.SequenceNumber <= newest)
                {
                    offender = received.SequenceNumber;
                    return false;
                }

                newest = received.SequenceNumber;
                ring.Add(received);
                Volatile.Write(ref handedOver, handedOver + 1);
            }

            foreach (var observer in observers)
            {
                observer.HandedOver(events, ring.Count);
            }
        }

        offender = -1;
        return true;
    }

    /// <summary>Records that a sink begins to write the event.</summary>
    /// <remarks>
    /// At a stop, events below one that was begun may still begin. Other sinks have already begun events above them, and a gap would cause everything above
    /// it to be delivered again.
    /// </remarks>
    /// <param name="sequence">The event.</param>
    /// <param name="timestamp">Now, by the clock's raw timestamp.</param>
    /// <param name="stopping">Once true, every event above those begun until then is refused (<see cref="TrackResult.Closed"/>), for any caller.</param>
    public TrackResult Begin(long sequence, long timestamp, bool stopping)
    {
        lock (Gate)
        {
            if (stopping && lastToBegin == long.MaxValue)
            {
                lastToBegin = newestBegun;
            }

            if (closed)
            {
                return TrackResult.Closed;
            }

            var at = ring.Find(sequence);
            if (at < 0)
            {
                return sequence <= position.SequenceNumber && passed > 0 ? TrackResult.Repeated : TrackResult.Unknown;
            }

            ref var slot = ref ring[at];
            if (slot.IsComplete)
            {
                return TrackResult.Repeated;
            }

            if (!slot.Begun)
            {
                if (sequence > lastToBegin)
                {
                    return TrackResult.Closed;
                }

                slot.Begun = true;
                newestBegun = Math.Max(newestBegun, sequence);
                slot.BegunAt = timestamp;
                inFlight++;
                foreach (var observer in observers)
                {
                    observer.Begun(slot.Event!, inFlight);
                }
            }

            return TrackResult.Recorded;
        }
    }

    /// <summary>Records that a sink has the event.</summary>
    /// <param name="sequence">The event.</param>
    /// <param name="sink">The sink's place.</param>
    /// <param name="started">When the write began, by the clock's raw timestamp.</param>
    /// <param name="now">Now, by the clock's raw timestamp.</param>
    public TrackResult Acknowledge(long sequence, int sink, long started, long now)
    {
        lock (Gate)
        {
            if (closed)
            {
                return CountLate();
            }

            var at = ring.Find(sequence);
            if (at < 0)
            {
                return sequence <= position.SequenceNumber && passed > 0 ? TrackResult.Repeated : TrackResult.Unknown;
            }

            ref var slot = ref ring[at];
            var bit = 1u << sink;
            if (((slot.Acknowledged | slot.GivenUp) & bit) != 0)
            {
                return TrackResult.Repeated;
            }

            // Before the watermark may move: an observer with its own record must never be later than the watermark.
            var elapsed = timeProvider.GetElapsedTime(started, now);
            foreach (var observer in observers)
            {
                observer.Acknowledged(sequence, sink, elapsed);
            }

            slot.Acknowledged |= bit;
            return CompleteIfSettled(ref slot, now);
        }
    }

    /// <summary>
    /// Records that the event is stored in the dead-letter store for a sink. It is complete once every other sink has it or has given it up as well. A dead
    /// letter counts only for the sinks that it names.
    /// </summary>
    /// <param name="sequence">The event.</param>
    /// <param name="sink">The sink's place.</param>
    /// <param name="now">Now, by the clock's raw timestamp.</param>
    public TrackResult DeadLetter(long sequence, int sink, long now)
    {
        lock (Gate)
        {
            if (closed)
            {
                return CountLate();
            }

            var at = ring.Find(sequence);
            var bit = 1u << sink;
            if (at < 0 || ((ring[at].Acknowledged | ring[at].GivenUp) & bit) != 0)
            {
                return TrackResult.Repeated;
            }

            ring[at].GivenUp |= bit;
            return CompleteIfSettled(ref ring[at], now);
        }
    }

    /// <summary>Records that a write of the event failed for good or was cancelled. Later writes may still complete the event.</summary>
    public void Abandon(long sequence, EventState state)
    {
        lock (Gate)
        {
            var at = closed ? -1 : ring.Find(sequence);
            if (at >= 0 && !ring[at].IsComplete)
            {
                Leave(ref ring[at], state);
            }
        }
    }

    /// <summary>Moves the position past every event handed over, complete or not. Returns how many were not complete. Only for unsafe strategies.</summary>
    public int PassOver()
    {
        lock (Gate)
        {
            var left = 0;
            for (var i = 0; i < ring.Count && !closed; i++)
            {
                if (!ring[i].IsComplete)
                {
                    Leave(ref ring[i], EventState.PassedOver);
                    left++;
                }
            }

            Advance();
            return left;
        }
    }

    /// <summary>The events handed over that are not complete.</summary>
    /// <param name="onlyInFlight">Only those that were begun and neither completed nor given up.</param>
    public UnfinishedEvents Unfinished(bool onlyInFlight = false)
    {
        lock (Gate)
        {
            var (unfinished, cancelled, first) = (0, 0, -1L);
            for (var i = 0; i < ring.Count; i++)
            {
                ref var slot = ref ring[i];
                if (slot.IsComplete || (onlyInFlight && !(slot.Begun && slot.State == EventState.Pending)))
                {
                    continue;
                }

                first = unfinished++ == 0 ? slot.Sequence : first;
                cancelled += slot.State == EventState.Cancelled ? 1 : 0;
            }

            return new UnfinishedEvents(unfinished, first, cancelled);
        }
    }

    /// <summary>Ends the ownership: the position does not move from now on.</summary>
    public void Close()
    {
        lock (Gate)
        {
            closed = true;
        }
    }

    private TrackResult CountLate()
    {
        late++;
        foreach (var observer in observers)
        {
            observer.CompletedLate();
        }

        return TrackResult.Closed;
    }

    private TrackResult CompleteIfSettled(ref Slot slot, long now)
    {
        if ((slot.Acknowledged | slot.GivenUp) != everySink)
        {
            return TrackResult.Recorded;
        }

        Complete(ref slot, slot.GivenUp == 0 ? EventState.Done : EventState.DeadLettered, now);
        return TrackResult.Completed;
    }

    private void Complete(ref Slot slot, EventState state, long now)
    {
        Leave(ref slot, state);
        var (receivedEvent, elapsed) = (slot.Event!, timeProvider.GetElapsedTime(slot.BegunAt, now));
        slot.Event = null;

        // The watermark has cleared the slot when it has passed it.
        var advanced = Advance();
        var completion = new EventCompletion(receivedEvent, elapsed, advanced, state == EventState.DeadLettered)
        {
            Watermark = passed > 0 ? position.SequenceNumber : -1,
        };
        foreach (var observer in observers)
        {
            observer.Completed(completion);
        }
    }

    private int Advance()
    {
        var before = passed;
        while (ring.Count > 0 && ring.First.MayBePassed)
        {
            position = new EventPosition(ring.First.Sequence, ring.First.Offset);
            ring.RemoveFirst();
            Volatile.Write(ref watermark, position.SequenceNumber);
            Volatile.Write(ref passed, passed + 1);
        }

        return (int)(passed - before);
    }

    private void Leave(ref Slot slot, EventState state)
    {
        if (slot.Begun && slot.State == EventState.Pending)
        {
            inFlight--;
        }

        slot.State = state;
        completed += slot.IsComplete ? 1 : 0;
    }
}
