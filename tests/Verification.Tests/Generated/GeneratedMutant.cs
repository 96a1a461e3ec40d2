using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>A change to a good run that is made when it is asked for.</summary>
/// <param name="Kind">How it differs.</param>
/// <param name="Record">The kind of record that was changed, as in the journal.</param>
/// <param name="What">The change in words, with the record's tick in the good run.</param>
/// <param name="Good">The run that it was made of.</param>
/// <param name="Change">Makes the changed journal out of a copy of the good one.</param>
internal sealed record GeneratedMutant(MutantKind Kind, string Record, string What, GoodRun Good, Action<List<JournalRecord>> Change)
{
    /// <summary>Makes the changed ledger. Null: it is the good one.</summary>
    public Action<List<LedgerRow>>? ChangeLedger { get; init; }

    /// <summary>The place of the record that was changed. -1 for rows of the ledger and for added records.</summary>
    public int At { get; init; } = -1;

    /// <summary>Whether the record that was changed is of a dead letter, which is a blob to the journal.</summary>
    public bool IsOfDeadLetter => At >= 0 && Good.Journal[At] is BlobWritten { Container: "deadletters" };

    /// <summary>The charge that it must get when it is convicted. Null for any.</summary>
    public string? Charge { get; init; }

    public GoodRun Make()
    {
        var journal = new List<JournalRecord>(Good.Journal);
        Change(journal);
        var ledger = Good.Ledger;
        if (ChangeLedger is not null)
        {
            ledger = [.. ledger];
            ChangeLedger(ledger);
        }

        return Good with
        {
            Ledger = ledger,
            Journal = journal,
        };
    }

    /// <summary>A record's kind as the journal names it.</summary>
    public static string GetName(JournalRecord record) =>
        record switch
        {
            EventAppended => "eh.append",
            ReaderAttached => "eh.attach",
            EventDelivered => "eh.deliver",
            EventExpired => "eh.expire",
            EmulatorStarted => "em.start",
            MessageWritten { Moment: WriteMoment.Begun } => "sb.begin",
            MessageWritten { Moment: WriteMoment.Stored } => "sb.accept",
            MessageWritten => "sb.answered",
            BlobWritten { Moment: WriteMoment.Begun } => "blob.begin",
            BlobWritten { Moment: WriteMoment.Stored } => "blob.stored",
            BlobWritten => "blob.answered",
            CheckpointWritten { Moment: WriteMoment.Begun } => "ck.begin",
            CheckpointWritten { Moment: WriteMoment.Stored } => "ck.write",
            CheckpointWritten => "ck.answered",
            BlobDeleted => "blob.delete",
            ConnectionCut => "sb.cut",
            EmulatorPaused => "em.stood",
            OwnershipWritten => "own.write",
            MessageDelivered => "sb.deliver",
            MessageSettled => "sb.settle",
            FaultInjected => "fault",
            _ => throw new ArgumentException($"no name for {record.GetType().Name}", nameof(record)),
        };
}
