using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// The delivered events of one ownership that are not complete: a second record, independent of the low watermark, so that a mistake in one of the two shows.
/// The sinks report to it directly, and it is kept as simply as possible. No decision depends on it. Its caller holds the lock of the tracker that notifies
/// of the events.
/// </summary>
internal sealed class DeliveredEvents(int sinks)
{
    private const int Neighbours = 2;

    private readonly uint everySink = (1u << sinks) - 1;

    // By sequence number which sinks have the event. Complete events are removed.
    private readonly Dictionary<long, uint> open = [];

    // Delivered events in order, from the first open one. Complete events before it are removed when others are added, or when the first open one is read.
    private readonly Queue<long> order = new();

    /// <summary>Events that became complete.</summary>
    public long Completed { get; private set; }

    /// <summary>The newest event that was delivered.</summary>
    public long Newest { get; private set; } = long.MinValue;

    /// <summary>The first event that is not complete, or null.</summary>
    public long? FirstOpen => TakeOutComplete();

    public void Add(IReadOnlyList<EventSlot> events)
    {
        TakeOutComplete();
        for (var i = 0; i < events.Count; i++)
        {
            Newest = events[i].SequenceNumber;
            open[Newest] = 0;
            order.Enqueue(Newest);
        }
    }

    /// <summary>Records that a sink has the event. True when it was the last sink that lacked it.</summary>
    public bool Acknowledge(long sequence, int sink)
    {
        if (!open.TryGetValue(sequence, out var has))
        {
            return false;
        }

        if ((has | (1u << sink)) == everySink)
        {
            Complete(sequence);
            return true;
        }

        open[sequence] = has | (1u << sink);
        return false;
    }

    /// <summary>Records that the event is in the dead-letter store.</summary>
    public void DeadLetter(long sequence) => Complete(sequence);

    /// <summary>Records events that an unsafe strategy's position has passed: they are not open any more, and never complete.</summary>
    public void PassOver(long sequence)
    {
        while (TakeOutComplete() is { } first && first <= sequence)
        {
            open.Remove(first);
        }
    }

    /// <summary>The event and its neighbours with their states, for messages.</summary>
    public string Around(long sequence)
    {
        var at = Enumerable.Range(-Neighbours, (2 * Neighbours) + 1).Select(distance => sequence + distance).Where(near => near >= 0 && near <= Newest);
        return string.Join(", ", at.Select(near => $"{near} {GetState(near)}"));
    }

    private long? TakeOutComplete()
    {
        while (order.TryPeek(out var first))
        {
            if (open.ContainsKey(first))
            {
                return first;
            }

            order.Dequeue();
        }

        return null;
    }

    private string GetState(long sequence) =>
        open.TryGetValue(sequence, out var has)
            ? has == 0
                ? "open"
                : $"at {System.Numerics.BitOperations.PopCount(has)} of {sinks} sinks"
            : "complete or unknown";

    private void Complete(long sequence)
    {
        if (open.Remove(sequence))
        {
            Completed++;
        }
    }
}
