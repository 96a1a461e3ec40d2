using System.Runtime.CompilerServices;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The properties of one event of a chunk, without its bytes.</summary>
internal readonly record struct EventEntry(int Length, int HeaderLength, int DeliveryAnnotationsLength, long EnqueuedMilliseconds);

/// <summary>
/// Consecutive events in one buffer, so that a million events need some thousand arrays. Guarded by the gate of its partition. Published bytes never change, so
/// readers keep slices of them. The bytes of a full chunk may be moved to the disk.
/// </summary>
internal sealed class EventChunk
{
    private const int FewEntries = 8;

    // Empty once the bytes are on the disk.
    private byte[] _bytes;
    private StoredBytes? _spilled;
    private EventEntry[] _entries = new EventEntry[FewEntries];
    private int[] _starts = new int[FewEntries];

    public EventChunk(long firstSequence, int capacity)
    {
        FirstSequence = firstSequence;
        _bytes = GC.AllocateUninitializedArray<byte>(capacity);
    }

    public long FirstSequence { get; }

    public int Count { get; private set; }

    /// <summary>The bytes in use.</summary>
    public int Used { get; private set; }

    public int Capacity => _bytes.Length;

    /// <summary>The number that the next event gets.</summary>
    public long NextSequence => FirstSequence + Count;

    /// <summary>The space for the next event. <see cref="Add"/> includes the bytes.</summary>
    public Span<byte> Room => _bytes.AsSpan(Used);

    /// <summary>The memory that it uses.</summary>
    public long Cost => GetCost(_bytes.Length, _entries.Length);

    public static long GetCost(int capacity, int entries) => 160 + capacity + ((long)entries * (Unsafe.SizeOf<EventEntry>() + sizeof(int)));

    /// <summary>The memory of a chunk with this capacity and the initial number of entries.</summary>
    public static long GetCost(int capacity) => GetCost(capacity, FewEntries);

    /// <summary>The memory with room for this number of further entries.</summary>
    public long CostWith(int moreEntries) => GetCost(_bytes.Length, EntriesWith(moreEntries));

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

    /// <summary>Removes the newest events, which no reader has seen.</summary>
    public void Retract(int count, int used) => (Count, Used) = (count, used);

    public ReadOnlyMemory<byte> Bytes(int from) => _bytes.AsMemory(from, Used - from);

    /// <summary>Moves the bytes to the disk if the memory budget requires it. No event can be added afterwards.</summary>
    public void Spill(MemoryBudget budget)
    {
        if (_spilled is not null || budget.TrySpill(_bytes.AsSpan(0, Used)) is not { } place)
        {
            return;
        }

        budget.Release(_bytes.Length);
        (_spilled, _bytes) = (place, []);
    }

    public EventEntry EntryAt(long sequence) => _entries[(int)(sequence - FirstSequence)];

    /// <summary>Fills <paramref name="into"/> with the events from a number on. Events on the disk need a single read.</summary>
    public void Read(long sequence, Span<StoredEvent> into)
    {
        var first = (int)(sequence - FirstSequence);
        var last = first + into.Length - 1;
        var start = _starts[first];
        var bytes = BytesBetween(start, _starts[last] + _entries[last].Length);
        for (var i = 0; i < into.Length; i++)
        {
            var entry = _entries[first + i];
            into[i] = new StoredEvent(
                sequence + i,
                entry.EnqueuedMilliseconds,
                bytes.Slice(_starts[first + i] - start, entry.Length),
                entry.HeaderLength,
                entry.DeliveryAnnotationsLength
            );
        }
    }

    private ReadOnlyMemory<byte> BytesBetween(int start, int end)
    {
        if (_spilled is null)
        {
            return _bytes.AsMemory(start, end - start);
        }

        var bytes = GC.AllocateUninitializedArray<byte>(end - start);
        _spilled.Read(start, bytes);
        return bytes;
    }

    private int EntriesWith(int more) => Count + more <= _entries.Length ? _entries.Length : Math.Max(Count + more, 2 * _entries.Length);
}
