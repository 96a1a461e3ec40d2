using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>What the readers of the journal share: the scope of the records, and the receiver of the findings.</summary>
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

    /// <summary>The places of the handlers that must acknowledge each event, as bits.</summary>
    public int RequiredHandlers { get; } = scope.Sinks == SinkSet.Handlers ? (int)((1L << scope.Handlers.Count) - 1) : 0;

    public ScopeName? Run { get; } = run is null ? null : new ScopeName(run, ignoreCase: false);

    public PartitionTable Partitions => Names.Partitions;

    public SinkNames Names { get; } = new(scope.Hub);

    public VerificationCounts VerificationCounts { get; } = findings;

    /// <summary>
    /// The tick of the last start of an emulator that continued the journal without recording what the one before had stored. 0 when there was none.
    /// </summary>
    public long LastRestart { get; set; }

    /// <summary>The tick up to which the journal records what existed when it began. 0 when nothing did.</summary>
    public long FoundUntil { get; set; }

    /// <summary>When answers of the queue may have been lost.</summary>
    public CutLog QueueCuts { get; } = new();

    /// <summary>When answers of the archive may have been lost.</summary>
    public CutLog ArchiveCuts { get; } = new();

    /// <summary>The periods in which the emulator was paused.</summary>
    public StandstillLog Standstills { get; } = new();

    /// <summary>The connections that brought messages.</summary>
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
