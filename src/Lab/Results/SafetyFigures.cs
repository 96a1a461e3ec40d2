using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Results;

/// <summary>
/// The verdict, the same wherever it was computed. Numbers of which the evidence has no trace are null. Where there was nothing to judge by,
/// only the last three members are written.
/// </summary>
internal sealed record SafetyFigures
{
    /// <summary>What the evidence proves.</summary>
    public VerdictOutcome? Outcome { get; init; }

    /// <summary>The run that was judged. Null when the ledger names none.</summary>
    public string? Run { get; init; }

    /// <summary>Events that the sender tried to send.</summary>
    public long? Attempted { get; init; }

    /// <summary>Events that the service confirmed to the sender.</summary>
    public long? Acknowledged { get; init; }

    /// <summary>Acknowledged events that were handed to the consumer group.</summary>
    public long? Delivered { get; init; }

    /// <summary>Acknowledged events that are at both sinks, or dead-lettered.</summary>
    public long? Complete { get; init; }

    /// <summary>Events that are stored among the dead letters.</summary>
    public long? DeadLettered { get; init; }

    /// <summary>Acknowledged events that a sink lacks and no dead letter names for it.</summary>
    public long? Lost { get; init; }

    /// <summary>Acknowledged and not complete, beyond the checkpoints of a run that was to end before its backlog did.</summary>
    public long? Unclaimed { get; init; }

    /// <summary>Events of unknown outcome to the sender, yet complete.</summary>
    public long? Recovered { get; init; }

    /// <summary>Records at a sink that belong to no event of the run.</summary>
    public long? Unexpected { get; init; }

    /// <summary>Events of which a copy differs from what was sent.</summary>
    public long? Corrupt { get; init; }

    /// <summary>Copies in the queue beyond one for each event, explained or not.</summary>
    public long? DuplicateServiceBus { get; init; }

    /// <summary>Dead letters that name a sink which had the event when they were stored, explained or not, or which their owner wrote to afterwards.</summary>
    public long? RedundantDeadLetters { get; init; }

    /// <summary>Blobs that were stored over another one of the same event.</summary>
    public long? DuplicateBlob { get; init; }

    /// <summary>Uploads that found their blob in place, with the same bytes.</summary>
    public long? Repeated { get; init; }

    /// <summary>Messages that began after one of a later event of the partition.</summary>
    public long? OrderStartPartition { get; init; }

    /// <summary>Messages that began after one of a later event of the key.</summary>
    public long? OrderStartKey { get; init; }

    /// <summary>Messages that were stored after one of a later event of the partition.</summary>
    public long? OrderEndPartition { get; init; }

    /// <summary>Messages that were stored after one of a later event of the key.</summary>
    public long? OrderEndKey { get; init; }

    /// <summary>Events that began before the one before in the partition was complete.</summary>
    public long? OverlapPartition { get; init; }

    /// <summary>Events that began before the one before of the key was complete.</summary>
    public long? OverlapKey { get; init; }

    /// <summary>Checkpoints of the consumer group that were stored.</summary>
    public long? Checkpoints { get; init; }

    /// <summary>Checkpoints at or beyond an event that was not complete before them.</summary>
    public long? CheckpointAhead { get; init; }

    /// <summary>Checkpoints not above the one before, of one owner.</summary>
    public long? CheckpointRegressionWithin { get; init; }

    /// <summary>Checkpoints below the last one of the owner before.</summary>
    public long? CheckpointRegressionAcross { get; init; }

    /// <summary>Deliveries of events of which a write had begun before.</summary>
    public long? Replayed { get; init; }

    /// <summary>The most events that one crash or change of owner could make repeat.</summary>
    public long? ReplayExact { get; init; }

    /// <summary>The limit for this number. Null when none was named.</summary>
    public long? ReplayBound { get; init; }

    /// <summary>Acknowledged events that retention removed before they were delivered.</summary>
    public long? Expired { get; init; }

    /// <summary>Events that are complete and were never delivered: the evidence contradicts itself.</summary>
    public long? Accounting { get; init; }

    /// <summary>The broken promises.</summary>
    public IReadOnlyList<Charge>? Charges { get; init; }

    /// <summary>Whether the stored checkpoints have reached the last acknowledged event of every partition.</summary>
    public bool? Finished { get; init; }

    /// <summary>Why the verdict cannot be a pass although no breach was found.</summary>
    public IReadOnlyList<string>? Reasons { get; init; }

    /// <summary>Names of the numbers that could not be judged.</summary>
    public IReadOnlyList<string>? NotJudged { get; init; }

    /// <summary>The verdict in one line, without regard to what the run claims.</summary>
    public string? Summary { get; init; }

    /// <summary>The verdict in one word.</summary>
    public required SafetyVerdict Verdict { get; init; }

    /// <summary>The verdict in one line.</summary>
    public required string Line { get; init; }

    /// <summary>Sinks of the run that the evidence does not cover.</summary>
    public required IReadOnlyList<string> Unjudged { get; init; }
}

/// <summary>A verdict in one word.</summary>
internal enum SafetyVerdict
{
    /// <summary>Every promise was kept.</summary>
    Clean,

    /// <summary>A promise was broken.</summary>
    Failed,

    /// <summary>The evidence does not decide it, or there is none.</summary>
    Undecided,
}
