using EventHubThroughput.Events;

namespace EventHubThroughput.Verification;

/// <summary>What ledger and journal prove about a run.</summary>
public enum VerdictOutcome
{
    Pass,
    Fail,
    Undecided,
}

/// <summary>The verdict on a run: what was counted, which counts break a promise, and what could not be judged.</summary>
public sealed record Verdict
{
    public VerdictOutcome Outcome { get; init; }

    /// <summary>The run that was judged. Null when the ledger names none.</summary>
    public string? Run { get; init; }

    /// <summary>The sinks that were judged.</summary>
    public SinkSet Sinks { get; init; } = SinkSet.Both;

    /// <summary>Events that the sender tried to send.</summary>
    public long Attempted { get; init; }

    /// <summary>Events that the service confirmed to the sender.</summary>
    public long Acknowledged { get; init; }

    /// <summary>Acknowledged events that were delivered to the consumer group.</summary>
    public long Delivered { get; init; }

    /// <summary>Acknowledged events that each sink has, or a dead letter that names the sink.</summary>
    public long Complete { get; init; }

    public long DeadLettered { get; init; }

    /// <summary>Acknowledged events that a sink lacks and that no dead letter names for it.</summary>
    public long Lost { get; init; }

    /// <summary>Acknowledged and not complete, beyond the checkpoints of a run that only claims the events up to these. 0 for any other.</summary>
    public long Unclaimed { get; init; }

    /// <summary>Events of unknown outcome for the sender that are complete.</summary>
    public long Recovered { get; init; }

    /// <summary>Records at a sink that belong to no event of the run.</summary>
    public long Unexpected { get; init; }

    /// <summary>Events of which a copy differs from what was sent.</summary>
    public long Corrupt { get; init; }

    /// <summary>Copies in the queue beyond one for each event.</summary>
    public long DuplicateServiceBus { get; init; }

    /// <summary>Dead letters that name a sink which had the event when they were stored, or which their owner wrote to afterwards.</summary>
    public long RedundantDeadLetters { get; init; }

    /// <summary>Blobs that were stored over another one of the same event.</summary>
    public long DuplicateBlob { get; init; }

    /// <summary>Uploads that found their blob stored already, with the same bytes.</summary>
    public long Repeated { get; init; }

    public long OrderStartPartition { get; init; }

    public long OrderStartKey { get; init; }

    public long OrderEndPartition { get; init; }

    public long OrderEndKey { get; init; }

    public long OverlapPartition { get; init; }

    public long OverlapKey { get; init; }

    /// <summary>Checkpoint writes of the consumer group in the journal.</summary>
    public long Checkpoints { get; init; }

    /// <summary>Checkpoints at or beyond an event that was not complete before them.</summary>
    public long CheckpointAhead { get; init; }

    /// <summary>Checkpoints not above the one before them, in one incarnation.</summary>
    public long CheckpointRegressionWithin { get; init; }

    /// <summary>Checkpoints below the last one of the incarnation before.</summary>
    public long CheckpointRegressionAcross { get; init; }

    /// <summary>Deliveries of events of which a write had begun before.</summary>
    public long Replayed { get; init; }

    /// <summary>The most events that one crash or change of owner could repeat: begun before it, above the checkpoint then.</summary>
    public long ReplayExact { get; init; }

    /// <summary>The limit for <see cref="ReplayExact"/>. Null when none was given.</summary>
    public long? ReplayBound { get; init; }

    /// <summary>Acknowledged events that retention removed before they were delivered.</summary>
    public long Expired { get; init; }

    /// <summary>Acknowledged events that are complete and were never delivered: the journal contradicts itself.</summary>
    public long Accounting { get; init; }

    /// <summary>The broken invariants.</summary>
    public required IReadOnlyList<Charge> Charges { get; init; }

    /// <summary>
    /// Whether the run is complete: the stored checkpoints have reached the last acknowledged event of every partition, except events that retention removed.
    /// Otherwise a missing event may still be under way.
    /// </summary>
    public bool Finished { get; init; }

    /// <summary>Why the verdict cannot be a pass although nothing was found: sources that end early, a run without an end.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>Fields that could not be judged.</summary>
    public required IReadOnlyList<string> NotJudged { get; init; }

    /// <summary>The verdict in one line.</summary>
    public string Summary =>
        Outcome switch
        {
            VerdictOutcome.Pass => $"verdict: clean ({Complete} of {Acknowledged} {Place}, "
                + $"{(Sinks == SinkSet.Handlers ? "" : $"{Plural.Format(DuplicateServiceBus, "duplicate")}, ")}{Plural.Format(Checkpoints, "checkpoint")} never ahead"
                + $"{(Unclaimed > 0 ? $", {Unclaimed} beyond them not claimed" : string.Empty)})",
            VerdictOutcome.Fail => $"verdict: FAILED ({string.Join("; ", Charges.Select(Word))})",
            _ => $"verdict: undecided ({string.Join("; ", Reasons)})",
        };

    private string Place =>
        (
            Sinks == SinkSet.Queue ? "in the queue"
            : Sinks == SinkSet.Archive ? "in the container"
            : Sinks == SinkSet.Handlers ? "acknowledged by the handler in the consumer's own record"
            : "in the queue and in the container"
        )
        + (DeadLettered == 0 ? string.Empty : $" or among {Plural.Format(DeadLettered, "dead letter")}")
        + (Expired == 0 ? string.Empty : $", {Expired} expired before delivery");

    private static string Word(Charge charge) => $"{charge.Field} {charge.Count}, first: {charge.Example}";
}
