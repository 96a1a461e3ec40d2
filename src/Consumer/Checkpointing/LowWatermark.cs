using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Checkpointing;

/// <summary>
/// The highest position up to and including which every delivered event is complete: acknowledged by every sink, or stored among
/// the dead letters. One per partition and incarnation, so that nothing of an earlier ownership can move it.
/// </summary>
/// <remarks>
/// "Next" is the next event delivered, not sequence + 1: logs may have gaps. Offsets are opaque, sequence numbers order. All
/// members may be called from any thread; after the ring has grown to the largest window, no call allocates.
/// </remarks>
internal sealed class LowWatermark
{
    private readonly Lock gate = new();
    private readonly uint everySink;

    // Everything below is touched under the gate only.
    private readonly SlotRing ring = new();
    private int inFlight;
    private long passed;
    private long completed;
    private long late;
    private long newest = long.MinValue;
    private long newestBegun = long.MinValue;
    private long lastToBegin = long.MaxValue;
    private EventPosition position;
    private bool closed;

    public LowWatermark(int sinks)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sinks, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sinks, 31);
        everySink = (1u << sinks) - 1;
    }

    /// <summary>Events begun at a sink and neither complete nor given up.</summary>
    public int InFlight
    {
        get
        {
            lock (gate)
            {
                return inFlight;
            }
        }
    }

    /// <summary>Events that became complete.</summary>
    public long Completed
    {
        get
        {
            lock (gate)
            {
                return completed;
            }
        }
    }

    /// <summary>Whether the incarnation is over.</summary>
    public bool IsClosed
    {
        get
        {
            lock (gate)
            {
                return closed;
            }
        }
    }

    /// <summary>Acknowledgements that came after the incarnation was over.</summary>
    public long Late
    {
        get
        {
            lock (gate)
            {
                return late;
            }
        }
    }

    /// <summary>The position that may be stored now; null while the first event is not complete.</summary>
    public WatermarkReading? Read()
    {
        lock (gate)
        {
            return passed == 0 ? null : new WatermarkReading(position, passed);
        }
    }

    /// <summary>Delivered events that the watermark has not passed, and those that it has, of the same instant.</summary>
    public (int Outstanding, long Passed) Load()
    {
        lock (gate)
        {
            return (ring.Count, passed);
        }
    }

    /// <summary>Takes note of delivered events; false when one is not above all earlier ones (its number is given).</summary>
    public bool TryRegister(IReadOnlyList<ReceivedEvent> events, out long offender)
    {
        lock (gate)
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
                ring.Add(newest, received.Offset);
            }
        }

        offender = -1;
        return true;
    }

    /// <summary>Takes note that a sink begins to write the event.</summary>
    /// <remarks>
    /// At a stop, events below one that was begun may still be begun: others have taken them by then, and a gap that is left there
    /// would have everything above it delivered again.
    /// </remarks>
    /// <param name="sequence">The event.</param>
    /// <param name="timestamp">Now, by the clock's raw timestamp.</param>
    /// <param name="stopping">Once true, every event above those begun until then is refused (<see cref="TrackResult.Closed"/>), whoever asks.</param>
    /// <param name="nowInFlight">How many events are in flight with it.</param>
    public TrackResult Begin(long sequence, long timestamp, bool stopping, out int nowInFlight)
    {
        lock (gate)
        {
            nowInFlight = inFlight;
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
            if (!slot.Begun)
            {
                if (sequence > lastToBegin)
                {
                    return TrackResult.Closed;
                }

                slot.Begun = true;
                newestBegun = Math.Max(newestBegun, sequence);
                slot.BegunAt = timestamp;
                nowInFlight = ++inFlight;
            }

            return slot.IsComplete ? TrackResult.Repeated : TrackResult.Recorded;
        }
    }

    /// <summary>Takes note that a sink has the event.</summary>
    public Acknowledgement Acknowledge(long sequence, int sink)
    {
        lock (gate)
        {
            if (closed)
            {
                late++;
                return new Acknowledgement(TrackResult.Closed, 0, 0);
            }

            var at = ring.Find(sequence);
            if (at < 0)
            {
                var result = sequence <= position.SequenceNumber && passed > 0 ? TrackResult.Repeated : TrackResult.Unknown;
                return new Acknowledgement(result, 0, 0);
            }

            ref var slot = ref ring[at];
            var bit = 1u << sink;
            if ((slot.Acknowledged & bit) != 0 || slot.IsComplete)
            {
                return new Acknowledgement(TrackResult.Repeated, slot.BegunAt, 0);
            }

            slot.Acknowledged |= bit;
            if (slot.Acknowledged != everySink)
            {
                return new Acknowledgement(TrackResult.Recorded, slot.BegunAt, 0);
            }

            Leave(ref slot, EventState.Done);
            return new Acknowledgement(TrackResult.Completed, slot.BegunAt, Advance());
        }
    }

    /// <summary>Takes note that the event is stored among the dead letters, whatever the sinks have of it.</summary>
    public Acknowledgement DeadLetter(long sequence)
    {
        lock (gate)
        {
            if (closed)
            {
                late++;
                return new Acknowledgement(TrackResult.Closed, 0, 0);
            }

            var at = ring.Find(sequence);
            if (at < 0 || ring[at].IsComplete)
            {
                return new Acknowledgement(TrackResult.Repeated, 0, 0);
            }

            var begunAt = ring[at].BegunAt;
            Leave(ref ring[at], EventState.DeadLettered);
            return new Acknowledgement(TrackResult.Completed, begunAt, Advance());
        }
    }

    /// <summary>Takes note that a write of the event failed for good or was cut. The event may still be completed by later writes.</summary>
    public void Abandon(long sequence, EventState state)
    {
        lock (gate)
        {
            var at = closed ? -1 : ring.Find(sequence);
            if (at >= 0 && !ring[at].IsComplete)
            {
                Leave(ref ring[at], state);
            }
        }
    }

    /// <summary>The delivered events that are not complete.</summary>
    /// <param name="onlyInFlight">Only those that were begun and neither completed nor given up.</param>
    public UnfinishedEvents Unfinished(bool onlyInFlight = false)
    {
        lock (gate)
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

    /// <summary>Ends the incarnation: the position stands still from now on.</summary>
    public void Close()
    {
        lock (gate)
        {
            closed = true;
        }
    }

    private int Advance()
    {
        var before = passed;
        while (ring.Count > 0 && ring.First.IsComplete)
        {
            position = new EventPosition(ring.First.Sequence, ring.First.Offset);
            ring.RemoveFirst();
            passed++;
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
