using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>The verified run and the destinations of its events.</summary>
public sealed record VerificationScope
{
    public required string Hub { get; init; }

    public required string Group { get; init; }

    /// <summary>The queue or topic.</summary>
    public required string MessageEntity { get; init; }

    public required string ArchiveContainer { get; init; }

    /// <summary>The sinks that the run writes to. Each event must be in all of them in the end. At least one.</summary>
    public SinkSet Sinks { get; init; } = SinkSet.Both;

    /// <summary>The names of the handlers, for <see cref="SinkSet.Handlers"/>. At most 31.</summary>
    public IReadOnlyList<string> Handlers { get; init; } = [];

    /// <summary>The consumer's record of what these have acknowledged. Null: there is none, so that the verdict is undecided.</summary>
    public IEnumerable<Acknowledgement>? Acknowledgements { get; init; }

    public required string CheckpointContainer { get; init; }

    public required string DeadLetterContainer { get; init; }

    public OrderPromise Promise { get; init; }

    /// <summary>The replay limit of the run. Null: repeated events are only counted.</summary>
    public long? ReplayLimit { get; init; }

    /// <summary>
    /// Whether events that retention removed before delivery are accepted, because the run was started with the option to continue without them.
    /// </summary>
    public bool AcceptsExpired { get; init; }

    /// <summary>
    /// Whether the run was to end before its backlog did, as a run of fixed duration. It then claims the events up to its last checkpoint of each partition.
    /// Later events are neither missing nor left.
    /// </summary>
    public bool UpToCheckpoint { get; init; }

    /// <summary>The run to verify. Null: the only run in the ledger.</summary>
    public string? Run { get; init; }
}
