using System.Runtime.InteropServices;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>What a sink's record can turn out to be about.</summary>
internal enum Subject
{
    /// <summary>An event of the run that is judged.</summary>
    Run,

    /// <summary>An event of another run, or of another hub of the journal: none of our business.</summary>
    Others,

    /// <summary>No event that had been appended by then.</summary>
    Nothing,
}

/// <summary>The events that were appended, in partitions, and the state of each that belongs to the run.</summary>
internal sealed class EventTable(LedgerTable ledger, VerificationScope scope, Findings findings)
{
    private readonly List<EventState> events = [];
    private readonly Dictionary<string, PartitionLog> logs = new(StringComparer.Ordinal);
    private readonly HashSet<string> otherHubs = new(StringComparer.OrdinalIgnoreCase);

    public IReadOnlyCollection<PartitionLog> Logs => logs.Values;

    /// <summary>All states; valid until the next event is appended.</summary>
    public Span<EventState> States => CollectionsMarshal.AsSpan(events);

    public bool IsOurHub(string hub) => string.Equals(hub, scope.Hub, StringComparison.OrdinalIgnoreCase);

    public PartitionLog Log(string partition)
    {
        ref var log = ref CollectionsMarshal.GetValueRefOrAddDefault(logs, partition, out _);
        return log ??= new PartitionLog(partition);
    }

    public void Append(EventAppended record)
    {
        if (!IsOurHub(record.Hub))
        {
            otherHubs.Add(record.Hub);
            return;
        }

        findings.Appended++;
        var stamp = Stamp.Of(record.Properties);
        findings.StampsRecorded |= stamp.Run is not null;
        var ours = stamp.Run is not null && stamp.Run == ledger.Run;
        var log = Log(record.Partition);
        if (!log.TryAdd(record.Sequence, record.Offset, ours ? events.Count : -1))
        {
            findings.Reasons.Add($"sequence numbers of partition {record.Partition} start again");
            return;
        }

        if (ours)
        {
            events.Add(NewState(record, ledger.Find(stamp.Index)));
        }
    }

    public Subject Find(DerivedName? name, out PartitionLog? log, out int place)
    {
        log = null;
        place = -1;
        if (name is not { } derived)
        {
            return Subject.Nothing;
        }

        if (derived.Hub != scope.Hub)
        {
            return otherHubs.Contains(derived.Hub) ? Subject.Others : Subject.Nothing;
        }

        if (!logs.TryGetValue(derived.Partition, out log) || !log.TryFind(derived.Sequence, out place))
        {
            return Subject.Nothing;
        }

        return place >= 0 ? Subject.Run : Subject.Others;
    }

    private EventState NewState(EventAppended record, int row)
    {
        var state = new EventState
        {
            Sequence = record.Sequence,
            Row = row,
            ContentType = record.ContentType,
            Properties = Digest.Parse(record.PropertiesSha256),
        };
        if (row == EventState.NoRow)
        {
            return state;
        }

        ref var entry = ref ledger.Entries[row];
        state.Key = entry.Key;
        if (Digest.Parse(record.Sha256) != entry.Sha256 || record.Length != entry.Length)
        {
            state.Corrupt = true;
            findings.Corrupt.Add(record.Partition, record.Sequence, "the event hub has other bytes than were sent");
        }

        return state;
    }
}
