namespace EventHubThroughput.Journal;

/// <summary>The kinds of records of docs/journal.md. The moments of a write follow each other like those of <see cref="WriteMoment"/>.</summary>
public enum RecordKind
{
    EventAppended,
    ReaderAttached,
    EventDelivered,
    EventExpired,
    MessageBegun,
    MessageStored,
    MessageAnswered,
    MessageDelivered,
    MessageSettled,
    BlobBegun,
    BlobStored,
    BlobAnswered,
    CheckpointBegun,
    CheckpointStored,
    CheckpointAnswered,
    OwnershipWritten,
    FaultInjected,
    EmulatorStarted,
    PartitionReadBack,
    BlobDeleted,
    StateFound,
    RulesNotEvaluated,
    ConnectionCut,
    EmulatorPaused,
}
