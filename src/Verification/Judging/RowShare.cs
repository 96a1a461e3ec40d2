using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Judging;

/// <summary>The final state of an event, the best first.</summary>
internal enum EventOutcome
{
    Complete,

    /// <summary>Maybe complete: an emulator ended between storing and recording.</summary>
    Unproven,

    Expired,
    NoMessage,
    NotAcknowledged,
    NoBlob,
    BlobRemoved,
    AtNeither,
    NeverDelivered,
}

/// <summary>What one event contributes to its row of the ledger, which it may share with others.</summary>
internal readonly record struct RowShare : ISortable
{
    public required long Index { get; init; }

    public required SendOutcome Outcome { get; init; }

    public required EventOutcome EventOutcome { get; init; }

    public bool IsDelivered { get; init; }

    public required int Partition { get; init; }

    public required long Sequence { get; init; }

    public UInt128 Order => (ulong)Index;
}
