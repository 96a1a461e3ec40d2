using System.Globalization;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>
/// One partition on disk: segments, each a write-ahead log named by the number of its first event. Retention removes whole segments and rewrites nothing. An
/// append therefore waits at most for the removal of a file. Guarded by the gate of its partition.
/// </summary>
internal sealed class PartitionFiles
{
    public const string Kind = "partitions";

    private const byte AppendedEvents = 1;

    // The first record of a segment: when the previous event arrived. Times must not go back even when that event has expired.
    private const byte OpenedSegment = 2;
    private const long LargestSegment = 32 * 1024 * 1024;
    private const long SmallestSegment = 64 * 1024;

    private readonly DataDirectory _data;
    private readonly string _name;
    private readonly long _segmentBytes;
    private readonly RecordWriter _head = new();

    // The numbers of the first events of the segments, ascending. Events are appended to the last segment.
    private readonly List<long> _segments;
    private EntityLog? _active;

    /// <param name="data">The folder.</param>
    /// <param name="name">Hub and partition, as in <c>hub/0</c>.</param>
    /// <param name="segments">The numbers of the first events of existing segments, ascending.</param>
    /// <param name="retentionBytes">The limit of the partition. The size of a segment is a fraction of it.</param>
    public PartitionFiles(DataDirectory data, string name, IEnumerable<long> segments, long? retentionBytes)
    {
        _data = data;
        _name = name;
        _segments = [.. segments];
        _segmentBytes = Math.Clamp((retentionBytes ?? long.MaxValue) / 4, SmallestSegment, LargestSegment);
    }

    /// <summary>The segments of all partitions of all hubs in a folder: hub/partition, and the numbers of their first events.</summary>
    /// <exception cref="EmulatorException">The name of a segment is invalid.</exception>
    public static ILookup<string, long> Find(DataDirectory data) =>
        data.GetNames(Kind)
            .Select(static name => (name, slash: name.LastIndexOf('/')))
            .Where(static entry => entry.slash > 0)
            .ToLookup(
                static entry => entry.name[..entry.slash],
                entry =>
                    long.TryParse(entry.name.AsSpan(entry.slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var first)
                        ? first
                        : throw new EmulatorException(
                            EmulatorErrorKind.InconsistentData,
                            $"{Path.Combine(data.Path, Kind)}: a segment is named '{entry.name}', without the number of its first event"
                        ),
                StringComparer.Ordinal
            );

    /// <summary>Whether a key of <see cref="Find"/> belongs to a hub.</summary>
    public static bool IsOf(string partition, string hub) => partition.AsSpan(0, partition.LastIndexOf('/')).Equals(hub, StringComparison.OrdinalIgnoreCase);

    /// <summary>Removes the segments of a partition without a hub.</summary>
    public static void Remove(DataDirectory data, string name, IEnumerable<long> segments)
    {
        foreach (var first in segments)
        {
            data.DeleteLog(Kind, GetName(name, first));
        }
    }

    /// <summary>Removes the remaining files of a deleted hub.</summary>
    public static void RemoveHub(DataDirectory data, string hub)
    {
        var prefix = $"{hub.ToLowerInvariant()}/";
        foreach (var name in data.GetNames(Kind).Where(name => name.StartsWith(prefix, StringComparison.Ordinal)))
        {
            data.DeleteLog(Kind, name);
        }
    }

    /// <summary>Restores all events into memory.</summary>
    /// <exception cref="EmulatorException">A segment is damaged or cannot be read.</exception>
    public void Recover(HeldEvents events)
    {
        for (var i = 0; i < _segments.Count; i++)
        {
            var first = _segments[i];
            if (i == 0)
            {
                events.StartAt(first);
            }

            var isLast = i == _segments.Count - 1;
            var log = _data.OpenLog(
                Kind,
                GetName(_name, first),
                record => Replay(record, events),
                torn =>
                {
                    if (torn > 0 && !isLast)
                    {
                        throw new InvalidDataException("it is incomplete, and others follow in the next file");
                    }
                }
            );
            if (!isLast)
            {
                _data.CloseLog(Kind, GetName(_name, first));
            }
            else
            {
                _active = log;
            }
        }
    }

    /// <summary>Appends the newest events of a chunk as one record. After this call they survive the end of the process.</summary>
    /// <returns>The place of the record, for <see cref="Retract"/>.</returns>
    /// <exception cref="IOException">The events could not be written. The log is unchanged.</exception>
    public long Append(EventChunk chunk, int from, int count, long lastEnqueuedMilliseconds)
    {
        var first = chunk.NextSequence - count;
        var log = Active(first, lastEnqueuedMilliseconds);
        _head.Start(AppendedEvents).Int64(first).Int64(chunk.EntryAt(first).EnqueuedMilliseconds).Int32(count);
        for (var i = 0; i < count; i++)
        {
            var entry = chunk.EntryAt(first + i);
            _head.Int32(entry.Length).Int32(entry.HeaderLength).Int32(entry.DeliveryAnnotationsLength);
        }

        return log.Append(_head.WrittenMemory, chunk.Bytes(from));
    }

    public void Retract(long at) => _active!.Retract(at);

    /// <summary>
    /// Removes the segments that hold only events before <paramref name="first"/>. The newest one always stays, because the numbers continue from it.
    /// </summary>
    public void TrimTo(long first)
    {
        while (_segments.Count > 1 && _segments[1] <= first)
        {
            try
            {
                _data.DeleteLog(Kind, GetName(_name, _segments[0]));
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Another program has the file open. It is removed with the next segment.
                EmulatorLog.SegmentNotRemoved(_data.Log, GetName(_name, _segments[0]), exception);
                return;
            }

            _segments.RemoveAt(0);
        }
    }

    public void Delete()
    {
        try
        {
            Remove(_data, _name, _segments);
        }
        finally
        {
            _segments.Clear();
            _active = null;
        }
    }

    private static string GetName(string partition, long first) => $"{partition}/{first.ToString("D20", CultureInfo.InvariantCulture)}";

    // Opened with the first event, so that thousands of unused partitions need no descriptor.
    private EntityLog Active(long next, long lastEnqueuedMilliseconds)
    {
        if (_active is { } current && (current.Length < _segmentBytes || _segments[^1] == next))
        {
            return current;
        }

        try
        {
            var full = _active is null ? null : GetName(_name, _segments[^1]);
            _active = Open(GetName(_name, next), lastEnqueuedMilliseconds);
            _segments.Add(next);

            // Done last: if the disk refuses, the append fails, and the next one finds the new segment.
            if (full is not null)
            {
                _data.CloseLog(Kind, full);
            }

            return _active;
        }
        catch (EmulatorException exception)
        {
            throw new IOException(exception.Message, exception.InnerException ?? exception);
        }
    }

    private EntityLog Open(string name, long lastEnqueuedMilliseconds)
    {
        var log = _data.OpenLog(Kind, name, static record => RefuseEvents(record));
        try
        {
            log.Append(_head.Start(OpenedSegment).Int64(lastEnqueuedMilliseconds));
            return log;
        }
        catch
        {
            // The caller can try again.
            _data.CloseLog(Kind, name);
            throw;
        }
    }

    // A segment that was opened and never used may be opened again. One with events remains from an incomplete removal of a partition.
    private static void RefuseEvents(LogRecord record)
    {
        if (record.Payload.Span[0] != OpenedSegment)
        {
            throw new InvalidDataException("a new segment holds events already");
        }
    }

    private static void Replay(LogRecord record, HeldEvents events)
    {
        var reader = new RecordReader(record.Payload);
        var kind = reader.Byte();
        if (kind == OpenedSegment)
        {
            events.NoteEnqueued(reader.Int64());
            return;
        }

        if (kind != AppendedEvents || reader.Int64() != events.Next)
        {
            throw new InvalidDataException($"event {events.Next} was expected");
        }

        var enqueued = reader.Int64();
        var count = reader.Int32();
        var entries = new EventEntry[count is > 0 and <= TransferLimits.LargestBatch ? count : throw new InvalidDataException($"{count} events")];
        var length = 0;
        for (var i = 0; i < count; i++)
        {
            entries[i] = new EventEntry(reader.Int32(), reader.Int32(), reader.Int32(), enqueued);
            length = checked(length + entries[i].Length);
        }

        var bytes = record.Payload[reader.Position..];
        if (bytes.Length != length || Array.Exists(entries, static entry => entry.Length < 0))
        {
            throw new InvalidDataException("the lengths of its events do not add up");
        }

        var chunk = events.MakeRoom(length, count, always: true)!;
        var used = chunk.Used;
        bytes.Span.CopyTo(chunk.Room);
        foreach (var entry in entries)
        {
            chunk.Add(entry);
        }

        events.Publish(chunk, used);
    }
}
