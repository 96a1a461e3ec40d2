using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>What those share who read the journal: whose records count, and where what they find goes.</summary>
internal sealed class JournalContext(VerificationScope scope, string? run, VerificationCounts findings, OffsetIndex offsets, ExternalSort<Fact> facts)
{
    public ScopeName Hub { get; } = new(scope.Hub, ignoreCase: true);

    public ScopeName Group { get; } = new(scope.Group, ignoreCase: true);

    public ScopeName MessageEntity { get; } = new(scope.MessageEntity, ignoreCase: true);

    public ScopeName Archive { get; } = new(scope.ArchiveContainer, ignoreCase: false);

    public ScopeName DeadLetters { get; } = new(scope.DeadLetterContainer, ignoreCase: false);

    public ScopeName Checkpoints { get; } = new(scope.CheckpointContainer, ignoreCase: false);

    /// <summary>The sinks that the run writes to.</summary>
    public SinkSet RequiredSinks { get; } = scope.Sinks;

    public ScopeName? Run { get; } = run is null ? null : new ScopeName(run, ignoreCase: false);

    public PartitionTable Partitions => Names.Partitions;

    public SinkNames Names { get; } = new(scope.Hub);

    public VerificationCounts VerificationCounts { get; } = findings;

    /// <summary>The tick of the last start of an emulator that went on with the journal and did not tell what the one before had stored. 0 when there was none.</summary>
    public long LastRestart { get; set; }

    /// <summary>The tick until which the journal told what lay there when it was begun. 0 when nothing did.</summary>
    public long FoundUntil { get; set; }

    /// <summary>When answers of the queue may have been lost.</summary>
    public CutLog QueueCuts { get; } = new();

    /// <summary>When answers of the archive may have been lost.</summary>
    public CutLog ArchiveCuts { get; } = new();

    /// <summary>When the emulator stood still.</summary>
    public StandstillLog Standstills { get; } = new();

    /// <summary>Who brought messages.</summary>
    public ConnectionTable Connections { get; } = new();

    public OffsetIndex Offsets { get; } = offsets;

    public ExternalSort<Fact> Facts { get; } = facts;

    public void Add(FactKind kind, PartitionTrack partition, long sequence, long tick, long number, FactFlags flags = FactFlags.None) =>
        Facts.Add(
            new Fact
            {
                Kind = kind,
                Flags = flags,
                Partition = partition.Number,
                Sequence = sequence,
                Tick = tick,
                Number = number,
            }
        );
}
