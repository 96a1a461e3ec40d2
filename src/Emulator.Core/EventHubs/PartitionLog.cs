using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>
/// One partition: events in the order of their sequence numbers, from 0 without a gap. Old events are deleted by age and by bytes. Events are in memory, as far
/// as the budget allows, and also on disk when there are files. Safe for several threads.
/// </summary>
internal sealed class PartitionLog
{
    private readonly Lock _gate = new();
    private readonly TimeProvider _clock;
    private readonly long? _retentionMilliseconds;
    private readonly long _retentionBytes;
    private readonly Func<long, long, bool>? _expiring;

    // Guarded by the gate.
    private readonly HeldEvents _events;
    private readonly PartitionFiles? _files;
    private bool _deleted;

    /// <param name="id">The name of the partition.</param>
    /// <param name="settings">The limits of retention.</param>
    /// <param name="budget">The memory of all entities.</param>
    /// <param name="clock">The clock of enqueued times and retention.</param>
    /// <param name="files">The files of the events. Null keeps them in memory only.</param>
    /// <param name="expiring">Called with the first event to delete and the first to keep. If it returns false, no event is deleted.</param>
    public PartitionLog(
        string id,
        HubSettings settings,
        MemoryBudget budget,
        TimeProvider clock,
        PartitionFiles? files = null,
        Func<long, long, bool>? expiring = null
    )
    {
        Id = id;
        _clock = clock;
        _retentionMilliseconds = (long?)settings.RetentionTime?.TotalMilliseconds;
        _retentionBytes = settings.RetentionBytes ?? long.MaxValue;
        _events = new HeldEvents(budget);
        _files = files;
        _expiring = expiring;
        _files?.Recover(_events);
        lock (_gate)
        {
            Trim();
        }
    }

    public string Id { get; }

    /// <summary>Set after every append.</summary>
    public WakeSignals Readers { get; } = new();

    public PartitionState State
    {
        get
        {
            lock (_gate)
            {
                Trim();
                return new PartitionState(_events.First, _events.Next, _events.Bytes, _events.LastEnqueuedMilliseconds);
            }
        }
    }

    /// <summary>
    /// Appends events atomically. They become visible to readers after <paramref name="beforeVisible"/> has returned. If it throws, or the disk refuses, no
    /// event is appended.
    /// </summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public AppendVerdict TryAppend(IReadOnlyList<IncomingEvent> events, Action<IReadOnlyList<StoredEvent>>? beforeVisible)
    {
        var largest = 0;
        foreach (var incoming in events)
        {
            largest += incoming.LargestLength;
        }

        lock (_gate)
        {
            if (_deleted)
            {
                return AppendVerdict.Deleted;
            }

            // Comes before the search for room, because expired events free some.
            Trim();
            if (_events.MakeRoom(largest, events.Count) is not { } chunk)
            {
                return AppendVerdict.OverMemory;
            }

            var (count, used) = (chunk.Count, chunk.Used);
            try
            {
                Store(events, chunk, beforeVisible);
            }
            catch
            {
                chunk.Retract(count, used);
                throw;
            }

            _events.Publish(chunk, used);
            Trim();
        }

        Readers.SetAll();
        return AppendVerdict.Appended;
    }

    /// <summary>Copies events from a sequence number on, or from the oldest one when that has expired. Returns their number.</summary>
    public int Read(long sequence, Span<StoredEvent> into)
    {
        lock (_gate)
        {
            Trim();
            return _events.Read(sequence, into);
        }
    }

    /// <summary>The sequence number at which a reader starts. Null with a reason when the position is after the end of the log.</summary>
    public long? Resolve(StartPosition position, out string? problem)
    {
        lock (_gate)
        {
            Trim();
            problem = null;
            switch (position.Kind)
            {
                case StartPositionKind.Earliest:
                    return _events.First;
                case StartPositionKind.Latest:
                    return position.Inclusive && !_events.IsEmpty ? _events.Next - 1 : _events.Next;
                case StartPositionKind.EnqueuedTime:
                    return _events.FirstEnqueuedFrom(position.Inclusive ? position.Value : position.Value + 1);
                default:
                    if (position.Value >= _events.Next && !(position.Inclusive && position.Value == _events.Next))
                    {
                        problem =
                            position.Kind == StartPositionKind.Offset
                                ? $"The supplied offset '{position.Value}' is invalid. The last offset in the system is '{_events.Next - 1}'."
                                : $"The supplied sequence number '{position.Value}' is invalid. The last sequence number in the system is '{_events.Next - 1}'.";
                        return null;
                    }

                    // A position whose event has expired becomes that of the oldest remaining event.
                    return Math.Max(position.Inclusive ? position.Value : position.Value + 1, _events.First);
            }
        }
    }

    /// <summary>Deletes events that are older than the retention time. Every access does so too, so this serves partitions that are not accessed.</summary>
    public void Expire()
    {
        lock (_gate)
        {
            Trim();
        }
    }

    /// <summary>Deletes all events and files. No event can be appended any more.</summary>
    public void Delete()
    {
        lock (_gate)
        {
            _deleted = true;
            _events.TrimTo(_events.Next);
            _files?.Delete();
        }
    }

    private void Store(IReadOnlyList<IncomingEvent> events, EventChunk chunk, Action<IReadOnlyList<StoredEvent>>? beforeVisible)
    {
        // The clock of the service never goes back within a partition, because reading by time depends on it.
        var enqueued = Math.Max(_clock.GetUtcNow().ToUnixTimeMilliseconds(), _events.LastEnqueuedMilliseconds);
        var used = chunk.Used;
        foreach (var incoming in events)
        {
            incoming.Store(chunk, enqueued);
        }

        var record = _files?.Append(chunk, used, events.Count, _events.LastEnqueuedMilliseconds);
        if (beforeVisible is null)
        {
            return;
        }

        try
        {
            var stored = new StoredEvent[events.Count];
            chunk.Read(_events.Next, stored);
            beforeVisible(stored);
        }
        catch when (record is not null)
        {
            _files!.Retract(record.Value);
            throw;
        }
    }

    private void Trim()
    {
        var first = FirstToKeep();
        if (first > _events.First && (_expiring is null || _expiring(_events.First, first)))
        {
            _events.TrimTo(first);
            _files?.TrimTo(first);
        }
    }

    private long FirstToKeep()
    {
        var first = _events.First;
        if (_retentionMilliseconds is { } milliseconds && !_events.IsEmpty)
        {
            var oldest = _clock.GetUtcNow().ToUnixTimeMilliseconds() - milliseconds;
            if (_events.EntryAt(first).EnqueuedMilliseconds < oldest)
            {
                first = _events.FirstEnqueuedFrom(oldest);
            }
        }

        var bytes = _events.Bytes;
        for (var gone = _events.First; gone < first; gone++)
        {
            bytes -= _events.EntryAt(gone).Length;
        }

        // The newest event stays, regardless of its size.
        for (; bytes > _retentionBytes && first < _events.Next - 1; first++)
        {
            bytes -= _events.EntryAt(first).Length;
        }

        return first;
    }
}

/// <summary>The result of appending events to a partition.</summary>
internal enum AppendVerdict
{
    Appended,

    /// <summary>The memory shared by all entities is exhausted.</summary>
    OverMemory,

    /// <summary>The hub was deleted in the meantime.</summary>
    Deleted,
}
