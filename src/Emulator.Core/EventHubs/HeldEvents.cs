using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The events of one partition, oldest first. Each of their bytes in memory is taken from the budget. Guarded by the gate of its partition.</summary>
internal sealed class HeldEvents(MemoryBudget budget)
{
    // Chunks double from the first to the last size. A partition with a few events stays small, and one with many has few arrays. A batch is in one chunk, so a
    // chunk for several batches wastes little at its end.
    private const int SmallestChunk = 4 * 1024;
    private const int UsualChunk = 1024 * 1024;
    private const int LargestChunk = 16 * UsualChunk;
    private const int BatchesPerChunk = 8;

    private readonly List<EventChunk> _chunks = [];
    private int _lastCapacity;

    /// <summary>The number of the oldest event. The number of the next event when there are none.</summary>
    public long First { get; private set; }

    /// <summary>The number that the next event gets.</summary>
    public long Next { get; private set; }

    /// <summary>Encoded bytes of the current events.</summary>
    public long Bytes { get; private set; }

    /// <summary>When the newest event arrived, even if it has expired. 1970 when there was none.</summary>
    public long LastEnqueuedMilliseconds { get; private set; }

    public bool IsEmpty => First == Next;

    public EventEntry EntryAt(long sequence) => GetChunk(sequence).EntryAt(sequence);

    /// <summary>Sets the first number of an empty partition.</summary>
    public void StartAt(long next) => First = Next = next;

    /// <summary>Sets the arrival time of the newest event when that event has expired.</summary>
    public void NoteEnqueued(long milliseconds) => LastEnqueuedMilliseconds = Math.Max(LastEnqueuedMilliseconds, milliseconds);

    /// <summary>A chunk with room for this number of bytes and events after the newest event. Null when the memory does not allow it.</summary>
    /// <param name="bytes">Upper limit of their bytes.</param>
    /// <param name="count">The number of events.</param>
    /// <param name="always">Whether to exceed the memory limit, because acknowledged events must be kept.</param>
    public EventChunk? MakeRoom(int bytes, int count, bool always = false)
    {
        if (_chunks.Count > 0 && _chunks[^1] is { } last && last.Capacity - last.Used >= bytes)
        {
            if (!Take(last.CostWith(count) - last.Cost, always))
            {
                return null;
            }

            last.MakeRoom(count);
            return last;
        }

        if (_chunks.Count > 0)
        {
            _chunks[^1].Spill(budget);
        }

        var largest = budget.IsSpilling ? UsualChunk : Math.Clamp(BatchesPerChunk * (long)bytes, UsualChunk, LargestChunk);
        var usual = (int)Math.Max(bytes, _chunks.Count == 0 ? SmallestChunk : Math.Min(_lastCapacity * 2L, largest));
        return NewChunk(usual, count, always) ?? (bytes < usual ? NewChunk(bytes, count, always) : null);
    }

    /// <summary>Makes events visible that were stored in a chunk from <paramref name="used"/> on.</summary>
    public void Publish(EventChunk chunk, int used)
    {
        Bytes += chunk.Used - used;
        Next = chunk.NextSequence;
        LastEnqueuedMilliseconds = chunk.EntryAt(Next - 1).EnqueuedMilliseconds;
    }

    /// <summary>Copies events from a number on, or from the oldest when that one has expired.</summary>
    public int Read(long sequence, Span<StoredEvent> into)
    {
        sequence = Math.Max(sequence, First);
        var count = 0;
        for (var index = sequence < Next ? IndexOf(sequence) : _chunks.Count; index < _chunks.Count && count < into.Length; index++)
        {
            var chunk = _chunks[index];
            var taken = (int)Math.Min(Math.Min(chunk.NextSequence, Next) - sequence, into.Length - count);
            if (taken > 0)
            {
                chunk.Read(sequence, into.Slice(count, taken));
                sequence += taken;
                count += taken;
            }
        }

        return count;
    }

    /// <summary>The number of the first event that arrived at that time or later.</summary>
    public long FirstEnqueuedFrom(long milliseconds)
    {
        long low = First,
            high = Next;
        while (low < high)
        {
            var middle = low + ((high - low) / 2);
            if (EntryAt(middle).EnqueuedMilliseconds < milliseconds)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    /// <summary>Releases the events before a number. Memory is freed chunk by chunk.</summary>
    public void TrimTo(long first)
    {
        while (First < first)
        {
            Bytes -= EntryAt(First).Length;
            First++;
        }

        var dead = 0;
        while (dead < _chunks.Count && _chunks[dead].NextSequence <= First && _chunks[dead].NextSequence <= Next)
        {
            budget.Release(_chunks[dead].Cost);
            dead++;
        }

        _chunks.RemoveRange(0, dead);
    }

    private EventChunk? NewChunk(int capacity, int count, bool always)
    {
        var chunk = Take(EventChunk.GetCost(capacity), always) ? new EventChunk(Next, capacity) : null;
        if (chunk is null || !Take(chunk.CostWith(count) - chunk.Cost, always))
        {
            budget.Release(chunk?.Cost ?? 0);
            return null;
        }

        chunk.MakeRoom(count);
        _chunks.Add(chunk);
        _lastCapacity = capacity;
        return chunk;
    }

    private bool Take(long bytes, bool always)
    {
        if (always)
        {
            budget.Reserve(bytes);
            return true;
        }

        return bytes == 0 || budget.TryReserve(bytes);
    }

    private EventChunk GetChunk(long sequence) => _chunks[IndexOf(sequence)];

    private int IndexOf(long sequence)
    {
        int low = 0,
            high = _chunks.Count - 1;
        while (low < high)
        {
            var middle = low + ((high - low + 1) / 2);
            if (_chunks[middle].FirstSequence <= sequence)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        return low;
    }
}
