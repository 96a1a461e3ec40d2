using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>A change to a good run, and the fields that must be charged for it. None: the changed run still passes.</summary>
internal sealed record Mutant(string Name, Action<MutableRun> Change, params string[] Charged)
{
    public static IReadOnlyList<Mutant> All { get; } =
    [
        .. SinkMutants.All,
        .. OrderMutants.All,
        .. CheckpointMutants.All,
        .. CopyMutants.All,
        .. DeadLetterMutants.All,
        .. ReplayMutants.All,
        .. ReplayLimitMutants.All,
        .. ExpiryMutants.All,
        .. RedriveMutants.All,
    ];

    public OrderPromise Promise { get; init; }
}

/// <summary>
/// A good run that can be changed: two partitions, one key each in turn, processed strictly in order so that every promise
/// holds, with a checkpoint after every fifth event.
/// </summary>
internal sealed class MutableRun
{
    public const int PerPartition = 20;

    public MutableRun(OrderPromise promise)
    {
        Scope = GoodRun.GetScope(promise);
        for (var i = 0; i < 2 * PerPartition; i++)
        {
            var partition = i % 2;
            Events.Add(new SimulatedEvent(i, partition.ToString(), i / 2, $"key-{partition}-{i / 2 % 2}", i / 4));
        }

        Ledger = [.. Events.Select(simulated => simulated.Row())];
        Journal.AddRange(Events.Select(simulated => simulated.Append()));
        Journal.Add(Of(0, 0).Attach("link-0"));
        Journal.Add(Of(1, 0).Attach("link-0"));
        foreach (var simulated in Events)
        {
            Journal.AddRange(Records(simulated));
            if (simulated.Sequence % 5 == 4)
            {
                Journal.Add(simulated.Checkpoint());
            }
        }
    }

    public List<SimulatedEvent> Events { get; } = [];

    public List<LedgerRow> Ledger { get; }

    public List<JournalRecord> Journal { get; } = [];

    public VerificationScope Scope { get; set; }

    /// <summary>Partition 0, in the middle, between two checkpoints.</summary>
    public SimulatedEvent Middle => Of(0, 7);

    public SimulatedEvent Of(int partition, int sequence) => Events[(sequence * 2) + partition];

    public Verdict Judge() => Verifier.Judge(Ledger, GoodRun.Numbered(Journal), Scope);

    public static JournalRecord[] Records(SimulatedEvent simulated, string link = "link-0") =>
        [
            simulated.Deliver(link),
            simulated.Message(WriteMoment.Begun),
            simulated.Message(WriteMoment.Stored),
            simulated.Blob(WriteMoment.Begun),
            simulated.Blob(WriteMoment.Stored),
        ];

    /// <summary>Everything is handed to the readers before anything is written.</summary>
    public void Prefetch()
    {
        var deliveries = Journal.Where(static record => record is EventDelivered).ToList();
        Journal.RemoveAll(deliveries.Contains);
        Journal.InsertRange(Journal.FindLastIndex(static record => record is ReaderAttached) + 1, deliveries);
    }

    public void WithoutCheckpoints() => Journal.RemoveAll(record => record is CheckpointWritten);

    /// <summary>The run checkpoints once, when everything else has happened.</summary>
    public void CheckpointAtTheEnd()
    {
        WithoutCheckpoints();
        Journal.Add(Of(0, PerPartition - 1).Checkpoint());
        Journal.Add(Of(1, PerPartition - 1).Checkpoint());
    }

    public int IndexOf(SimulatedEvent simulated, Func<JournalRecord, bool> which) => Journal.FindIndex(record => which(record) && Concerns(record, simulated));

    public int MessageAt(SimulatedEvent simulated, WriteMoment moment = WriteMoment.Stored) =>
        IndexOf(simulated, record => record is MessageWritten message && message.Moment == moment);

    public int BlobAt(SimulatedEvent simulated, WriteMoment moment = WriteMoment.Stored) =>
        IndexOf(simulated, record => record is BlobWritten blob && blob.Moment == moment);

    public void ChangeMessage(Func<MessageWritten, MessageWritten> change)
    {
        var at = MessageAt(Middle);
        Journal[at] = change((MessageWritten)Journal[at]);
    }

    public void ChangeBlob(Func<BlobWritten, BlobWritten> change)
    {
        var at = BlobAt(Middle);
        Journal[at] = change((BlobWritten)Journal[at]);
    }

    public void ChangeAppend(Func<EventAppended, EventAppended> change)
    {
        var at = IndexOf(Middle, record => record is EventAppended);
        Journal[at] = change((EventAppended)Journal[at]);
    }

    /// <summary>Adds a second write of the event after everything else.</summary>
    public void AddCopy(bool redelivered, Func<MessageWritten, MessageWritten>? change = null)
    {
        if (redelivered)
        {
            Redeliver();
        }

        Journal.Add(Middle.Message(WriteMoment.Begun));
        var copy = Middle.Message(WriteMoment.Stored);
        Journal.Add(change is null ? copy : change(copy));
        if (redelivered)
        {
            CheckpointAtTheEnd();
        }
    }

    /// <summary>Hands the event to a reader that comes after a crash, before anything was checkpointed.</summary>
    public void Redeliver()
    {
        WithoutCheckpoints();
        Journal.AddRange([Middle.Attach("link-1"), Middle.Deliver("link-1")]);
    }

    public void DropSinks(SimulatedEvent simulated) => Journal.RemoveAll(record => record is MessageWritten or BlobWritten && Concerns(record, simulated));

    /// <summary>Exchanges the places of two events' records at the sinks.</summary>
    public void Swap(SimulatedEvent first, SimulatedEvent second, Func<JournalRecord, bool> which)
    {
        var firsts = Places(first, which);
        var seconds = Places(second, which);
        foreach (var (a, b) in firsts.Zip(seconds))
        {
            (Journal[a], Journal[b]) = (Journal[b], Journal[a]);
        }
    }

    private List<int> Places(SimulatedEvent simulated, Func<JournalRecord, bool> which) =>
        [.. Enumerable.Range(0, Journal.Count).Where(at => which(Journal[at]) && Concerns(Journal[at], simulated))];

    private static bool Concerns(JournalRecord record, SimulatedEvent simulated) =>
        record switch
        {
            EventAppended appended => appended.Partition == simulated.Partition && appended.Sequence == simulated.Sequence,
            EventDelivered delivered => delivered.Partition == simulated.Partition && delivered.Sequence == simulated.Sequence,
            MessageWritten message => message.MessageId == simulated.MessageId,
            BlobWritten blob => blob.Name == simulated.BlobName,
            _ => false,
        };
}
