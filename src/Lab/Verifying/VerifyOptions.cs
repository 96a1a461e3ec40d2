using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>The options of a verification. A null name is found by environment or evidence.</summary>
internal sealed record VerifyOptions
{
    public required string Ledger { get; init; }

    /// <summary>The emulator's journal. Null reads the namespace back.</summary>
    public string? Journal { get; init; }

    public string? Run { get; init; }

    public string? Hub { get; init; }

    public string? Group { get; init; }

    /// <summary>The queue or topic.</summary>
    public string? Entity { get; init; }

    /// <summary>The subscription that is read when the entity is a topic.</summary>
    public string? Subscription { get; init; }

    public string? ArchiveContainer { get; init; }

    public string? CheckpointContainer { get; init; }

    public string? DeadLetterContainer { get; init; }

    /// <summary>The sinks that the run wrote to, as far as there is evidence of them.</summary>
    public SinkSet Sinks { get; init; } = SinkSet.Both;

    /// <summary>The consumer's record of what its handlers acknowledged, for <see cref="SinkSet.Handlers"/>.</summary>
    public string? Acknowledgements { get; init; }

    /// <summary>The client family that reads the namespace back.</summary>
    public ClientFamily Clients { get; init; } = AvailableComponents.Clients[0];

    /// <summary>Null judges no order.</summary>
    public OrderPromise? Promise { get; init; }

    /// <summary>The replay limit of the run. Null only counts the repeats after a crash.</summary>
    public int? ReplayLimit { get; init; }

    /// <summary>Whether the run claims no more than the events up to its checkpoints.</summary>
    public bool UpToCheckpoint { get; init; }

    public string? Output { get; init; }
}
