using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>One partition: events in the order of their sequence numbers, from 0 without a gap. Safe for several threads.</summary>
internal sealed class PartitionLog(string id, MemoryBudget budget, TimeProvider clock)
{
    private readonly Lock _gate = new();

    // Under the gate. The index is the sequence number: nothing is trimmed yet.
    private readonly List<StoredEvent> _events = [];

    public string Id { get; } = id;

    /// <summary>Set after every append.</summary>
    public WakeUps Readers { get; } = new();

    public PartitionState State
    {
        get
        {
            lock (_gate)
            {
                return _events.Count == 0
                    ? PartitionState.Empty
                    : new PartitionState(_events[0].Sequence, _events[^1].Sequence, _events[^1].Offset, _events[^1].EnqueuedMilliseconds);
            }
        }
    }

    /// <summary>
    /// Appends events as one. Nothing is visible to readers before <paramref name="beforeVisible"/> has returned; when it throws,
    /// nothing was appended.
    /// </summary>
    /// <returns>False when the memory limit does not allow it.</returns>
    public bool TryAppend(IReadOnlyList<IncomingEvent> events, Action<IReadOnlyList<StoredEvent>>? beforeVisible)
    {
        long reserved = 0;
        foreach (var incoming in events)
        {
            reserved += incoming.Length + MemoryBudget.EntryOverhead;
        }

        if (!budget.TryReserve(reserved))
        {
            return false;
        }

        try
        {
            lock (_gate)
            {
                // The service's clock never goes back within a partition: reading by time relies on it.
                var now = clock.GetUtcNow().ToUnixTimeMilliseconds();
                var enqueued = _events.Count == 0 ? now : Math.Max(now, _events[^1].EnqueuedMilliseconds);
                var stored = new StoredEvent[events.Count];
                for (var i = 0; i < stored.Length; i++)
                {
                    stored[i] = events[i].Store(_events.Count + i, enqueued);
                }

                beforeVisible?.Invoke(stored);
                _events.AddRange(stored);
            }
        }
        catch
        {
            budget.Release(reserved);
            throw;
        }

        Readers.SetAll();
        return true;
    }

    /// <summary>Copies events from a sequence number on; returns how many there were.</summary>
    public int Read(long sequence, Span<StoredEvent> into)
    {
        lock (_gate)
        {
            if (sequence >= _events.Count)
            {
                return 0;
            }

            var from = (int)Math.Max(sequence, 0);
            var count = Math.Min(into.Length, _events.Count - from);
            for (var i = 0; i < count; i++)
            {
                into[i] = _events[from + i];
            }

            return count;
        }
    }

    /// <summary>The sequence number that a reader starts at; null with the reason when the position is beyond the log's end.</summary>
    public long? Resolve(StartPosition position, out string? problem)
    {
        lock (_gate)
        {
            problem = null;
            switch (position.Kind)
            {
                case StartPositionKind.Earliest:
                    return 0;
                case StartPositionKind.Latest:
                    return _events.Count;
                case StartPositionKind.EnqueuedTime:
                    return FirstEnqueuedFrom(position.Inclusive ? position.Value : position.Value + 1);
                default:
                    if (position.Value >= _events.Count && !(position.Inclusive && position.Value == _events.Count))
                    {
                        problem = position.Kind == StartPositionKind.Offset
                            ? $"The supplied offset '{position.Value}' is invalid. The last offset in the system is '{_events.Count - 1}'."
                            : $"The supplied sequence number '{position.Value}' is invalid. The last sequence number in the system is '{_events.Count - 1}'.";
                        return null;
                    }

                    return position.Inclusive ? position.Value : position.Value + 1;
            }
        }
    }

    private long FirstEnqueuedFrom(long milliseconds)
    {
        int low = 0, high = _events.Count;
        while (low < high)
        {
            var middle = low + ((high - low) / 2);
            if (_events[middle].EnqueuedMilliseconds < milliseconds)
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
}
