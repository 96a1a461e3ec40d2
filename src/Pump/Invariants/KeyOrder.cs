using System.Runtime.InteropServices;
using EventHubThroughput.Events;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>
/// The delivered events of each partition key that are not complete, in their order, to check a strategy that promises this order. It is an independent
/// record in the order of delivery. Keys without such an event use no memory. After it has grown to the largest window it allocates no more. Not for
/// concurrent use.
/// </summary>
internal sealed class KeyOrder
{
    private const int None = -1;

    // Places of events by sequence number, and of each key the first and the last. Free places are linked to each other.
    private readonly Dictionary<long, int> places = [];
    private readonly Dictionary<string, (int First, int Last)> keys = new(StringComparer.Ordinal);
    private Entry[] entries = new Entry[64];
    private int used;
    private int free = None;

    /// <summary>Records a delivered event. An event without a key has no order.</summary>
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

    /// <summary>The first incomplete event of the same key that was delivered before this one. Null when there is none.</summary>
    public long? OpenBefore(long sequence)
    {
        if (!places.TryGetValue(sequence, out var place))
        {
            return null;
        }

        var first = entries[keys[entries[place].Key!].First].Sequence;
        return first < sequence ? first : null;
    }

    /// <summary>Records that the event is complete.</summary>
    public void Complete(long sequence)
    {
        if (!places.Remove(sequence, out var place))
        {
            return;
        }

        // An event in the middle is completed only by a breach. It waits until those before it are complete.
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
