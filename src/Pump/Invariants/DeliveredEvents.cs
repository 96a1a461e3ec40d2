using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// Which events of one ownership were delivered and are not complete: a second opinion beside the low watermark, told by the sinks
/// themselves and kept in the plainest way there is, so that a mistake in one of the two shows. Nothing is decided by it. Its caller holds the lock of
/// the tracker that notifies of the events.
/// </summary>
internal sealed class DeliveredEvents(int sinks)
{
    private const int Neighbours = 2;

    private readonly uint everySink = (1u << sinks) - 1;

    // By sequence number which sinks have the event. Complete ones are taken out.
    private readonly Dictionary<long, uint> open = [];

    // Every delivered event in order, from the first open one (complete ones before it are taken out when others are added, or somebody asks).
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

    /// <summary>A sink has the event. True when it was the last that lacked it.</summary>
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

    /// <summary>The event is stored among the dead letters.</summary>
    public void DeadLetter(long sequence) => Complete(sequence);

    /// <summary>An unsafe strategy's position has passed these: they are no longer open, and never complete.</summary>
    public void PassOver(long sequence)
    {
        while (TakeOutComplete() is { } first && first <= sequence)
        {
            open.Remove(first);
        }
    }

    /// <summary>The event and its neighbours, each with what is known of it, for messages.</summary>
    public string Around(long sequence)
    {
        var at = Enumerable.Range(-Neighbours, (2 * Neighbours) + 1).Select(distance => sequence + distance).Where(near => near >= 0 && near <= Newest);
        return string.Join(", ", at.Select(near => $"{near} {StateOf(near)}"));
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

    private string StateOf(long sequence) =>
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
