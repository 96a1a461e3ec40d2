using System.Net;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>What a run was asked to do, every default filled in.</summary>
internal sealed record ConsumerOptions
{
    /// <summary>Names the run in metrics, results and, embedded, in hub, queue and containers.</summary>
    public required string Run { get; init; }

    /// <summary>Whether the run was named by its user: only then does a ledger of several runs say which is meant.</summary>
    public bool RunIsNamed { get; init; }

    public required StrategyDescriptor Strategy { get; init; }

    public ClientFamily Clients { get; init; } = ClientFamily.BuiltIn;

    public required int Degree { get; init; }

    public required int Batch { get; init; }

    public required int Prefetch { get; init; }

    public required string Identifier { get; init; }

    public required Balancing Balancing { get; init; }

    public required TimeSpan BalancingInterval { get; init; }

    public required TimeSpan OwnershipExpiry { get; init; }

    public required bool Fencing { get; init; }

    public required TimeSpan DrainLimit { get; init; }

    public required CheckpointOptions Checkpoints { get; init; }

    /// <summary>How far processing may run ahead of the low watermark and of the checkpoint.</summary>
    public required DispatchLimits Limits { get; init; }

    public required int RetryLimit { get; init; }

    /// <summary>What becomes of events that a sink has failed for good.</summary>
    public PoisonPolicy OnPoison { get; init; } = PoisonPolicy.Block;

    /// <summary>Goes on although events that were never processed are gone from the hub.</summary>
    public bool AcceptGap { get; init; }

    /// <summary>Runs until it is stopped instead of ending when the backlog is drained.</summary>
    public required bool Follow { get; init; }

    /// <summary>What an embedded run sends to itself; null with settings present.</summary>
    public EmbeddedOptions? Embedded { get; init; }

    public string? Output { get; init; }

    public string? Ledger { get; init; }

    public string? Journal { get; init; }

    /// <summary>Where the run kills its own process; nowhere, but for tests of crashes.</summary>
    public KillOrder KillAt { get; init; }

    /// <summary>Null serves no metrics.</summary>
    public MetricsOptions? Metrics { get; init; }
}

/// <summary>
/// The load of an embedded run, where its ledger and journal are kept (null deletes them), what its emulator does wrong, at how many
/// events a second the sender goes on beside the run (null fills the hub before it), the clients that it sends with, and the emulator's
/// own rate on this machine where somebody measured it.
/// </summary>
internal sealed record EmbeddedOptions(
    int Events,
    int Partitions,
    string Profile,
    int Size,
    int Keys,
    string? Keep,
    string? Faults = null,
    int? Rate = null,
    string Clients = "builtin",
    int? EmulatorCeiling = null
);

/// <summary>Where metrics are served, and how long a watched run stays for its last scrapes.</summary>
internal sealed record MetricsOptions(IPAddress Address, int? Port, TimeSpan Linger);
