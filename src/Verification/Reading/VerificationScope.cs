namespace EventHubThroughput.Verification;

/// <summary>Which run is judged and where its events went.</summary>
public sealed record VerificationScope
{
    public required string Hub { get; init; }

    public required string Group { get; init; }

    /// <summary>The queue or topic.</summary>
    public required string MessageEntity { get; init; }

    public required string ArchiveContainer { get; init; }

    /// <summary>The sinks that the run writes to, so that each event has to be in all of them in the end. At least one.</summary>
    public SinkSet Sinks { get; init; } = SinkSet.Both;

    public required string CheckpointContainer { get; init; }

    public required string DeadLetterContainer { get; init; }

    public OrderPromise Promise { get; init; }

    /// <summary>The replay limit that the run was started with. Null: how much a crash made repeat is only counted.</summary>
    public long? ReplayLimit { get; init; }

    /// <summary>Whether events that retention took away before they were delivered are accepted, because the run was told to go on
    /// without them.</summary>
    public bool AcceptsExpired { get; init; }

    /// <summary>
    /// Whether the run was to end before its backlog did, as one that is measured for a time: then it claims the events up to its last
    /// checkpoint of each partition, and what lies beyond is neither missing nor left.
    /// </summary>
    public bool UpToCheckpoint { get; init; }

    /// <summary>The run that is judged. Null: the only run in the ledger.</summary>
    public string? Run { get; init; }
}
