using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>What a supervisor was asked to do.</summary>
internal sealed record SupervisionPlan
{
    /// <summary>Kills and restarts, over all strategies together.</summary>
    public required int Cycles { get; init; }

    /// <summary>How many consumers share the partitions, some of which leave and some die; null for one after another.</summary>
    public int? Owners { get; init; }

    /// <summary>Where to kill; empty when every consumer is to drain instead, or when they share the partitions.</summary>
    public required IReadOnlyList<KillPoint> Points { get; init; }

    public bool Drains => Points.Count == 0 && Owners is null;

    /// <summary>What is done to the consumers, in one word.</summary>
    public string Deed =>
        Owners is not null ? "ended"
        : Drains ? "drained"
        : "killed";

    /// <summary>Decides how deep into its run each consumer dies.</summary>
    public required int Seed { get; init; }

    public required IReadOnlyList<StrategyDescriptor> Strategies { get; init; }

    /// <summary>What every consumer is started with, beside strategy, owner and kill point.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>The options that the consumers were given, read once here; of them run and strategy change from round to round.</summary>
    public required ConsumerOptions Options { get; init; }

    /// <summary>The most events that one end may have delivered again: none that drained; of a crash a batch of each partition, and what a checkpoint may wait for.</summary>
    public long ReplayOfOneEnd => Drains ? 0 : Options.Embedded!.Partitions * ReplayOfOnePartition;

    /// <summary>The most events of a partition that may be delivered again when its owner has died or was robbed of it.</summary>
    public long ReplayOfOnePartition => Options.Batch + (Options.Checkpoints.Events ?? 0);

    /// <summary>How long a partition that was released, or whose owner has died, may be nobody's.</summary>
    public TimeSpan HandoverBound(Departure departure) =>
        departure switch
        {
            Departure.Left => Claiming,
            Departure.Died => Options.OwnershipExpiry + Claiming,
            _ => TimeSpan.Zero,
        };

    // Of the balanced kind each cycle claims one partition only.
    private TimeSpan Claiming => Options.BalancingInterval * (Options.Balancing == Balancing.Balanced ? Options.Embedded!.Partitions : 1);

    /// <summary>How long after its announcement a consumer may take until its first event.</summary>
    public TimeSpan RecoveryBound(bool sameOwner) => sameOwner ? Options.BalancingInterval : Options.OwnershipExpiry + Options.BalancingInterval;
}
