using System.Runtime.CompilerServices;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>What is known of one event of a chunk beside its bytes.</summary>
internal readonly record struct EventEntry(int Length, int HeaderLength, int DeliveryAnnotationsLength, long EnqueuedMilliseconds);

/// <summary>
/// Consecutive events in one buffer: a million of them is some thousand arrays instead of a million. Under its partition's gate;
/// bytes that were published never change, so readers keep slices of them.
/// </summary>
internal sealed class EventChunk
{
    private const int FewEntries = 8;

    private readonly byte[] _bytes;
    private EventEntry[] _entries = new EventEntry[FewEntries];
    private int[] _starts = new int[FewEntries];

    public EventChunk(long firstSequence, int capacity)
    {
        FirstSequence = firstSequence;
        _bytes = GC.AllocateUninitializedArray<byte>(capacity);
    }

    public long FirstSequence { get; }

    public int Count { get; private set; }

    /// <summary>Bytes that are taken.</summary>
    public int Used { get; private set; }

    public int Capacity => _bytes.Length;

    /// <summary>The number that the next event gets.</summary>
    public long NextSequence => FirstSequence + Count;

    /// <summary>Where the next event's bytes go; <see cref="Add"/> takes them in.</summary>
    public Span<byte> Room => _bytes.AsSpan(Used);

    /// <summary>What it costs in memory.</summary>
    public long Cost => CostOf(_bytes.Length, _entries.Length);

    public static long CostOf(int capacity, int entries) => 160 + capacity + ((long)entries * (Unsafe.SizeOf<EventEntry>() + sizeof(int)));

    /// <summary>What a chunk of that capacity costs before it has more entries than the first few.</summary>
    public static long CostOf(int capacity) => CostOf(capacity, FewEntries);

    /// <summary>The cost once there is room for so many more entries.</summary>
    public long CostWith(int moreEntries) => CostOf(_bytes.Length, EntriesWith(moreEntries));

    public void MakeRoom(int moreEntries)
    {
        var entries = EntriesWith(moreEntries);
        if (entries > _entries.Length)
        {
            Array.Resize(ref _entries, entries);
            Array.Resize(ref _starts, entries);
        }
    }

    public void Add(EventEntry entry)
    {
        _starts[Count] = Used;
        _entries[Count] = entry;
        Count++;
        Used += entry.Length;
    }

    /// <summary>Takes back the newest events, which nobody has seen.</summary>
    public void Retract(int count, int used) => (Count, Used) = (count, used);

    public ReadOnlyMemory<byte> Bytes(int from) => _bytes.AsMemory(from, Used - from);

    public EventEntry EntryAt(long sequence) => _entries[(int)(sequence - FirstSequence)];

    public StoredEvent EventAt(long sequence)
    {
        var index = (int)(sequence - FirstSequence);
        var entry = _entries[index];
        return new StoredEvent(
            sequence,
            entry.EnqueuedMilliseconds,
            _bytes.AsMemory(_starts[index], entry.Length),
            entry.HeaderLength,
            entry.DeliveryAnnotationsLength
        );
    }

    private int EntriesWith(int more) => Count + more <= _entries.Length ? _entries.Length : Math.Max(Count + more, 2 * _entries.Length);
}
