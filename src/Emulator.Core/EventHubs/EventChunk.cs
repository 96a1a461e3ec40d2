using System.Runtime.CompilerServices;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>What is known of one event of a chunk beside its bytes.</summary>
internal readonly record struct EventEntry(int Length, int HeaderLength, int DeliveryAnnotationsLength, long EnqueuedMilliseconds);

/// <summary>
/// Consecutive events in one buffer: a million of them is some thousand arrays instead of a million. Under its partition's gate.
/// Bytes that were published never change, so readers keep slices of them. One that is full may leave memory for the disk.
/// </summary>
internal sealed class EventChunk
{
    private const int FewEntries = 8;

    // Empty once the bytes lie on the disk.
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

    /// <summary>Bytes that are taken.</summary>
    public int Used { get; private set; }

    public int Capacity => _bytes.Length;

    /// <summary>The number that the next event gets.</summary>
    public long NextSequence => FirstSequence + Count;

    /// <summary>Where the next event's bytes go. <see cref="Add"/> takes them in.</summary>
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

    /// <summary>Moves the bytes to the disk if the budget says so. Nothing can be added afterwards.</summary>
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

    /// <summary>Fills all of <paramref name="into"/> with the events from a number on. From the disk they come with one read.</summary>
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
