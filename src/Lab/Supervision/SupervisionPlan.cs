using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>The options of a supervision.</summary>
internal sealed record SupervisionPlan
{
    /// <summary>Kills and restarts, over all strategies together.</summary>
    public required int Cycles { get; init; }

    /// <summary>The number of consumers that share the partitions. Some of them leave and some die. Null runs one after another.</summary>
    public int? Owners { get; init; }

    /// <summary>Where to kill. Empty when every consumer is to drain instead, or when they share the partitions.</summary>
    public required IReadOnlyList<KillPoint> Points { get; init; }

    public bool Drains => Points.Count == 0 && Owners is null;

    /// <summary>How many kinds of ends there are, over which the cycles are spread.</summary>
    public int Kinds =>
        Owners is not null ? HandoverScript.Kinds
        : Drains ? KillSequence.DrainKinds
        : Points.Count;

    /// <summary>The name of what ends the consumers, in one word.</summary>
    public string Deed =>
        Owners is not null ? "ended"
        : Drains ? "drained"
        : "killed";

    /// <summary>Decides how deep into its run each consumer dies.</summary>
    public required int Seed { get; init; }

    public required IReadOnlyList<StrategyDescriptor> Strategies { get; init; }

    /// <summary>The chosen values of each strategy's own options, by the name of the strategy.</summary>
    public IReadOnlyDictionary<string, IReadOnlyDictionary<string, int>> StrategyOptions { get; init; } =
        new Dictionary<string, IReadOnlyDictionary<string, int>>(StringComparer.Ordinal);

    /// <summary>The options of the consumers and the load of a backlog. Run, strategy, owner and kill point change from consumer to consumer.</summary>
    public required RunOptions Options { get; init; }

    /// <summary>The options of the consumers of one backlog.</summary>
    public RunOptions GetOptions(StrategyDescriptor strategy, string run) =>
        Options with
        {
            Run = run,
            Processing = Options.Processing with { Strategy = strategy, StrategyOptions = GetOwnOptions(strategy) },
        };

    /// <summary>The options by which a consumer of one backlog starts on an emulator that runs already.</summary>
    public RunOptions GetStart(StrategyDescriptor strategy, string run) => GetOptions(strategy, run) with { Load = null };

    /// <summary>The most events that one end may have delivered again: none that drained. Of a crash what one partition may, on each of them.</summary>
    public long ReplayOfOneEnd(StrategyDescriptor strategy) => Drains ? 0 : Options.Load!.Partitions * ReplayOfOnePartition(strategy);

    /// <summary>The most events of a partition that may be delivered again when its owner has died or was robbed of it: the consumer's own limit.</summary>
    public long ReplayOfOnePartition(StrategyDescriptor strategy) => (Options.Processing with { Strategy = strategy }).Limits.Replay;

    /// <summary>
    /// How long a partition that was released, or whose owner has died, may be without an owner: until the next balancing cycle, and until its requests have
    /// stored the claim. The requests count, because a release just after a cycle has read the ownerships waits for those of the next one.
    /// </summary>
    public TimeSpan HandoverBound(Departure departure) =>
        departure switch
        {
            Departure.Left => Claiming + ClaimRequests.LimitOf(Options.Load!.Profile),
            Departure.Died => Options.Processing.OwnershipExpiry + Claiming + ClaimRequests.LimitOf(Options.Load!.Profile),
            _ => TimeSpan.Zero,
        };

    private IReadOnlyDictionary<string, int> GetOwnOptions(StrategyDescriptor strategy) =>
        StrategyOptions.GetValueOrDefault(strategy.Name) ?? new Dictionary<string, int>(StringComparer.Ordinal);

    // Of the balanced kind each cycle claims one partition only.
    private TimeSpan Claiming => Options.Processing.BalancingInterval * (Options.Processing.Balancing == Balancing.Balanced ? Options.Load!.Partitions : 1);

    /// <summary>How long after its announcement a consumer may take until its first event.</summary>
    public TimeSpan RecoveryBound(bool sameOwner) =>
        sameOwner ? Options.Processing.BalancingInterval : Options.Processing.OwnershipExpiry + Options.Processing.BalancingInterval;
}
