using EventHubThroughput.Verification.Judging;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Everything that is counted while ledger and journal are read. Names are those of the result file.</summary>
internal sealed class VerificationCounts
{
    public ViolationCounter Lost { get; } = new("lost");

    public ViolationCounter Unexpected { get; } = new("unexpected");

    public ViolationCounter Corrupt { get; } = new("corrupt");

    /// <summary>Only copies that no redelivery and no lost answer explains.</summary>
    public ViolationCounter ExcessServiceBus { get; } = new("duplicateServiceBus");

    /// <summary>Only dead letters that name a sink that has the event, without an explanation.</summary>
    public ViolationCounter ExcessDeadLetters { get; } = new("redundantDeadLetters");

    public ViolationCounter DuplicateBlob { get; } = new("duplicateBlob");

    /// <summary>Breaks of the order of a partition.</summary>
    public OrderCounters OrderOfPartition { get; } = new("Partition");

    /// <summary>Breaks of the order of a key.</summary>
    public OrderCounters OrderOfKey { get; } = new("Key");

    public ViolationCounter CheckpointAhead { get; } = new("checkpointAhead");

    public ViolationCounter RegressionWithin { get; } = new("checkpointRegressionWithin");

    /// <summary>Events repeated beyond what the crash or change of owner before explains, or beyond the replay limit.</summary>
    public ViolationCounter ReplayBound { get; } = new("replayBound");

    /// <summary>Drops the charges so far: they existed before the run began.</summary>
    public void Clear()
    {
        Unexpected.Clear();
        CheckpointAhead.Clear();
        RegressionWithin.Clear();
        (RegressionAcross, Checkpoints) = (0, 0);
    }

    public ViolationCounter Expired { get; } = new("expired");

    /// <summary>Events with an end but without a beginning in the journal.</summary>
    public ViolationCounter Accounting { get; } = new("accounting");

    /// <summary>The most events that one crash or change of owner could repeat.</summary>
    public long ReplayExact { get; set; }

    public long Attempted { get; set; }

    public long Acknowledged { get; set; }

    /// <summary>Acknowledged events that were delivered to the consumer group.</summary>
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

    /// <summary>Whether the journal records answers. Without them a lost answer cannot be recognised.</summary>
    public bool AnswersRecorded { get; set; }

    /// <summary>Whether the journal records arrivals at the sinks, as an emulator's does.</summary>
    public bool BeginningsRecorded { get; set; }

    /// <summary>Whether any event of the hub carries a run's stamp.</summary>
    public bool StampsRecorded { get; set; }

    public long Appended { get; set; }

    /// <summary>Whether the journal was read back from a namespace, which records no deliveries.</summary>
    public bool IsReadBack { get; set; }

    /// <summary>Acknowledged events of the ledger that are not in the journal.</summary>
    public long NeverAppended { get; set; }

    /// <summary>What a namespace had removed before it could be read back, in words.</summary>
    public List<string> NotRetained { get; } = [];

    /// <summary>Whether the stored checkpoints have reached the last acknowledged event of every partition.</summary>
    public bool IsFinished { get; set; }

    /// <summary>Acknowledged events beyond the last checkpoint of their partition that are not complete, if the run does not claim those.</summary>
    public long Unclaimed { get; set; }

    /// <summary>The reasons why the whole verdict is undecided, each once.</summary>
    public SortedSet<string> Reasons { get; } = new(StringComparer.Ordinal);
}
