using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Everything that is counted while ledger and journal are read. Names are those of the result file.</summary>
internal sealed class VerificationCounts
{
    public ViolationCounter Lost { get; } = new("lost");

    public ViolationCounter Unexpected { get; } = new("unexpected");

    public ViolationCounter Corrupt { get; } = new("corrupt");

    /// <summary>Only the copies that no redelivery and no lost answer explains.</summary>
    public ViolationCounter ExcessServiceBus { get; } = new("duplicateServiceBus");

    /// <summary>Only the dead letters of which nothing explains that they name a sink that has the event.</summary>
    public ViolationCounter ExcessDeadLetters { get; } = new("redundantDeadLetters");

    public ViolationCounter DuplicateBlob { get; } = new("duplicateBlob");

    /// <summary>What breaks the order of a partition.</summary>
    public OrderCounters OrderOfPartition { get; } = new("Partition");

    /// <summary>What breaks the order of a key.</summary>
    public OrderCounters OrderOfKey { get; } = new("Key");

    public ViolationCounter CheckpointAhead { get; } = new("checkpointAhead");

    public ViolationCounter RegressionWithin { get; } = new("checkpointRegressionWithin");

    /// <summary>Events repeated beyond what the crash or change of owner before explains, or beyond the replay limit.</summary>
    public ViolationCounter ReplayBound { get; } = new("replayBound");

    /// <summary>Drops what was charged so far: it was there before anything happened.</summary>
    public void ForgetWhatWasFound()
    {
        Unexpected.Clear();
        CheckpointAhead.Clear();
        RegressionWithin.Clear();
        (RegressionAcross, Checkpoints) = (0, 0);
    }

    public ViolationCounter Expired { get; } = new("expired");

    /// <summary>Events of which the journal tells an end without a beginning.</summary>
    public ViolationCounter Accounting { get; } = new("accounting");

    /// <summary>The most events that one crash or change of owner could make repeat.</summary>
    public long ReplayExact { get; set; }

    public long Attempted { get; set; }

    public long Acknowledged { get; set; }

    /// <summary>Acknowledged events that were handed to the consumer group.</summary>
    public long DeliveredEvents { get; set; }

    /// <summary>Events that may have been stored by an emulator that ended before it could record it.</summary>
    public long Unproven { get; set; }

    public long RegressionAcross { get; set; }

    public long Checkpoints { get; set; }

    public long RedundantDeadLetters { get; set; }

    public long DuplicateServiceBus { get; set; }

    public long Repeated { get; set; }

    public long Replayed { get; set; }

    /// <summary>Deliveries of the hub to the group, of all runs.</summary>
    public long Delivered { get; set; }

    public long Complete { get; set; }

    public long DeadLettered { get; set; }

    public long Recovered { get; set; }

    /// <summary>Whether the journal tells when answers were given. Without that a lost answer cannot be told.</summary>
    public bool AnswersRecorded { get; set; }

    /// <summary>Whether the journal tells of arrivals at the sinks, as an emulator's does.</summary>
    public bool BeginningsRecorded { get; set; }

    /// <summary>Whether any event of the hub carries a run's stamp.</summary>
    public bool StampsRecorded { get; set; }

    public long Appended { get; set; }

    /// <summary>Whether the journal was read back from a namespace, which tells of no deliveries.</summary>
    public bool IsReadBack { get; set; }

    /// <summary>Acknowledged events of the ledger that the journal does not have at all.</summary>
    public long NeverAppended { get; set; }

    /// <summary>What a namespace had removed before it could be read back, in words.</summary>
    public List<string> NotRetained { get; } = [];

    /// <summary>Whether the stored checkpoints have reached the last acknowledged event of every partition.</summary>
    public bool IsFinished { get; set; }

    /// <summary>Acknowledged events beyond the last checkpoint of their partition that are not complete, where the run does not claim those.</summary>
    public long Unclaimed { get; set; }

    /// <summary>What makes the whole verdict undecided, each once.</summary>
    public SortedSet<string> Reasons { get; } = new(StringComparer.Ordinal);
}
