namespace EventHubThroughput.Journal;

/// <summary>The required fields of each kind of record.</summary>
internal static class RequiredFields
{
    // Of one record: a reader enumerates each of them.
    private const int MostEvents = 65_536;

    private static readonly (RecordField Field, string Name)[] Place =
    [
        (RecordField.Container, "container"),
        (RecordField.Hub, "hub"),
        (RecordField.Group, "group"),
        (RecordField.Partition, "partition"),
    ];

    private static readonly (RecordField Field, string Name)[] Answered = [(RecordField.Entity, "entity"), (RecordField.MessageId, "messageId")];

    private static readonly (RecordField Field, string Name)[] Message = [.. Answered, (RecordField.Length, "length")];

    private static readonly (RecordField Field, string Name)[] Deleted = [(RecordField.Container, "container"), (RecordField.BlobName, "name")];

    private static readonly (RecordField Field, string Name)[] Blob = [.. Deleted, (RecordField.Length, "length")];

    private static readonly (RecordField Field, string Name)[] Expired =
    [
        (RecordField.Hub, "hub"),
        (RecordField.Partition, "partition"),
        (RecordField.Sequence, "sequence"),
    ];

    private static readonly (RecordField Field, string Name)[] Appended = [.. Expired, (RecordField.Sha256, "sha256"), (RecordField.Length, "length")];

    private static readonly (RecordField Field, string Name)[] Delivered = [.. Expired, (RecordField.Group, "group"), (RecordField.Link, "link")];

    private static readonly (RecordField Field, string Name)[] Ownership = [.. Place, (RecordField.Owner, "owner")];

    private static readonly (RecordField Field, string Name)[] MessageOut = [.. Answered, (RecordField.Sequence, "sequence"), (RecordField.Link, "link")];

    private static readonly (RecordField Field, string Name)[] Settled = [.. Answered, (RecordField.Sequence, "sequence"), (RecordField.Outcome, "outcome")];

    private static readonly (RecordField Field, string Name)[] Rules = [.. Answered, (RecordField.Rule, "rule")];

    private static readonly (RecordField Field, string Name)[] Cut = [(RecordField.Connection, "connection")];

    private static readonly (RecordField Field, string Name)[] Stood = [(RecordField.Stood, "stood")];

    private static readonly (RecordField Field, string Name)[] Fault =
    [
        (RecordField.Fault, "fault"),
        (RecordField.Point, "point"),
        (RecordField.Action, "action"),
        (RecordField.Target, "target"),
    ];

    public static void Check(RecordView record)
    {
        foreach (var (field, name) in Of(record.Kind))
        {
            record.Need(field, name);
        }

        // A number in every kind except those of checkpoints, where it is any stored text.
        var ofCheckpoint = record.Kind is RecordKind.CheckpointBegun or RecordKind.CheckpointStored or RecordKind.CheckpointAnswered;
        if (record.Has(RecordField.Sequence) && record.HasText(RecordField.Sequence) != ofCheckpoint)
        {
            throw new JournalFormatException("not readable");
        }

        if (record.Has(RecordField.Count) && record.Number(RecordField.Count) is < 1 or > MostEvents)
        {
            throw new JournalFormatException("not readable");
        }

        record.Need(RecordField.Tick, "t");
    }

    private static (RecordField Field, string Name)[] Of(RecordKind kind) =>
        kind switch
        {
            RecordKind.EventAppended => Appended,
            RecordKind.ReaderAttached or RecordKind.EventDelivered => Delivered,
            RecordKind.EventExpired or RecordKind.PartitionReadBack => Expired,
            RecordKind.MessageStored => Message,
            RecordKind.MessageBegun or RecordKind.MessageAnswered => Answered,
            RecordKind.MessageDelivered => MessageOut,
            RecordKind.MessageSettled => Settled,
            RecordKind.BlobBegun or RecordKind.BlobStored or RecordKind.BlobAnswered => Blob,
            RecordKind.BlobDeleted => Deleted,
            RecordKind.OwnershipWritten => Ownership,
            RecordKind.RulesNotEvaluated => Rules,
            RecordKind.ConnectionCut => Cut,
            RecordKind.EmulatorPaused => Stood,
            RecordKind.FaultInjected => Fault,
            RecordKind.EmulatorStarted or RecordKind.StateFound => [],
            _ => Place,
        };
}
