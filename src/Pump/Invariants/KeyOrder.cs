using System.Runtime.InteropServices;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// The delivered events of each partition key that are not complete, in their order: what a strategy is held to that promises it. A record of its
/// own, kept in the order of delivery alone. Of keys without such an event nothing is kept, and once it has grown to the largest window it
/// allocates no more. Not for concurrent use.
/// </summary>
internal sealed class KeyOrder
{
    private const int None = -1;

    // Places of events by sequence number, and of each key the first and the last. Those given back are tied to each other.
    private readonly Dictionary<long, int> places = [];
    private readonly Dictionary<string, (int First, int Last)> keys = new(StringComparer.Ordinal);
    private Entry[] entries = new Entry[64];
    private int used;
    private int free = None;

    /// <summary>Takes note of a delivered event. One without a key has no order.</summary>
    public void Add(EventSlot receivedEvent)
    {
        if (receivedEvent.Key is not { } key)
        {
            return;
        }

        var place = Take();
        entries[place] = new Entry
        {
            Sequence = receivedEvent.SequenceNumber,
            Key = key,
            Next = None,
        };
        places[receivedEvent.SequenceNumber] = place;
        ref var of = ref CollectionsMarshal.GetValueRefOrAddDefault(keys, key, out var known);
        if (known)
        {
            entries[of.Last].Next = place;
            of.Last = place;
        }
        else
        {
            of = (place, place);
        }
    }

    /// <summary>The first event of the same key that was delivered before this one and is not complete. Null when there is none.</summary>
    public long? OpenBefore(long sequence)
    {
        if (!places.TryGetValue(sequence, out var place))
        {
            return null;
        }

        var first = entries[keys[entries[place].Key!].First].Sequence;
        return first < sequence ? first : null;
    }

    /// <summary>The event is complete.</summary>
    public void Complete(long sequence)
    {
        if (!places.Remove(sequence, out var place))
        {
            return;
        }

        // One in the midst, which only a breach completes, waits until those before it are.
        var key = entries[place].Key!;
        entries[place].IsComplete = true;
        ref var of = ref CollectionsMarshal.GetValueRefOrNullRef(keys, key);
        while (entries[of.First] is { IsComplete: true, Next: var next })
        {
            GiveBack(of.First);
            if (next == None)
            {
                keys.Remove(key);
                return;
            }

            of.First = next;
        }
    }

    private int Take()
    {
        if (free != None)
        {
            var taken = free;
            free = entries[taken].Next;
            return taken;
        }

        if (used == entries.Length)
        {
            Array.Resize(ref entries, 2 * used);
        }

        return used++;
    }

    private void GiveBack(int place)
    {
        entries[place] = new Entry { Next = free };
        free = place;
    }

    private struct Entry
    {
        public long Sequence;
        public string? Key;
        public int Next;
        public bool IsComplete;
    }
}
