using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>What a supervisor was asked to do.</summary>
internal sealed record SupervisionPlan
{
    /// <summary>Kills and restarts, over all strategies together.</summary>
    public required int Cycles { get; init; }

    /// <summary>Where to kill; empty when every consumer is to drain instead.</summary>
    public required IReadOnlyList<KillPoint> Points { get; init; }

    public bool Drains => Points.Count == 0;

    /// <summary>Decides how deep into its run each consumer dies.</summary>
    public required int Seed { get; init; }

    public required IReadOnlyList<StrategyDescriptor> Strategies { get; init; }

    /// <summary>What every consumer is started with, beside strategy, owner and kill point.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>The options that the consumers were given, read once here; of them run and strategy change from round to round.</summary>
    public required ConsumerOptions Options { get; init; }

    /// <summary>The most events that one end may have delivered again: none that drained; of a crash a batch of each partition, and what a checkpoint may wait for.</summary>
    public long ReplayOfOneEnd => Drains ? 0 : (long)Options.Embedded!.Partitions * (Options.Batch + (Options.Checkpoints.Events ?? 0));

    /// <summary>How long after its announcement a consumer may take until its first event.</summary>
    public TimeSpan RecoveryBound(bool sameOwner) =>
        sameOwner ? Options.BalancingInterval : Options.OwnershipExpiry + Options.BalancingInterval;
}
