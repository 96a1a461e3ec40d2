namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>How a mutant differs from the good run that it was made of.</summary>
internal enum MutantKind
{
    /// <summary>A record or row is missing.</summary>
    Drop,

    /// <summary>A record is there twice: immediately, or again at the end.</summary>
    Double,

    /// <summary>Two records have changed places.</summary>
    Swap,

    /// <summary>A record is earlier or later.</summary>
    Shift,

    OtherPartition,
    OtherGroup,
    OtherRun,

    /// <summary>A checkpoint is stored before its time, or above its position.</summary>
    EarlyCheckpoint,

    /// <summary>A checkpoint is stored after its time, or below its position.</summary>
    LateCheckpoint,

    /// <summary>A position has the offset of another event.</summary>
    OtherOffset,

    /// <summary>The journal or the ledger ends before its end.</summary>
    Truncation,

    /// <summary>The link is given events again, which are written again or not.</summary>
    ReplayBySameLink,

    /// <summary>A new link is given events again, which are written again or not.</summary>
    ReplayByNewLink,

    /// <summary>A copy has other metadata than its bytes.</summary>
    WrongMetadata,

    /// <summary>A copy has other bytes.</summary>
    OtherBytes,

    /// <summary>A dead letter names other sinks, or none.</summary>
    OtherSinks,

    /// <summary>A dead letter is stored beside an event that is written.</summary>
    RedundantDeadLetter,

    /// <summary>A message is written again although it had its answer: immediately, after a cut, after a late answer, twice by the next owner.</summary>
    CopyWithoutCause,

    /// <summary>A blob that was stored is deleted.</summary>
    DeletedBlob,

    /// <summary>An owner that repeats events does so in reverse order.</summary>
    ReverseReplay,
}
