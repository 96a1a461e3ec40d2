using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>
/// The options of a run that another process of this program has started, as they travel between the two. Connection settings and what is
/// logged come from the environment, as always. A consumer that is started so has no emulator of its own, serves no metrics, and writes to
/// every sink of the catalogue unless others are named.
/// </summary>
internal sealed record RunSettings
{
    public required string Run { get; init; }

    /// <summary>The strategy, by its name.</summary>
    public required string Strategy { get; init; }

    /// <summary>Whether the strategy may be one that loses events.</summary>
    public bool AllowUnsafe { get; init; }

    /// <summary>What was chosen of the strategy's own options, by name.</summary>
    public IReadOnlyDictionary<string, int> StrategyOptions { get; init; } = new Dictionary<string, int>(StringComparer.Ordinal);

    /// <summary>The assembly that the strategy comes from, unless it is the program's own.</summary>
    public string? StrategyAssembly { get; init; }

    /// <summary>The sinks by their names, where they are not those of the catalogue.</summary>
    public IReadOnlyList<string>? Sinks { get; init; }

    /// <summary>The assembly that further sinks come from.</summary>
    public string? SinkAssembly { get; init; }

    /// <summary>The clients, by the name of their family.</summary>
    public required string Clients { get; init; }

    /// <summary>Their checkpoint store, by its name.</summary>
    public string CheckpointStore { get; init; } = CheckpointStores.Own;

    public required int Degree { get; init; }

    public required int Batch { get; init; }

    public required int Prefetch { get; init; }

    public TimeSpan WorkCpu { get; init; }

    public TimeSpan WorkBlock { get; init; }

    public required string Identifier { get; init; }

    public required Balancing Balancing { get; init; }

    public required TimeSpan BalancingInterval { get; init; }

    public required TimeSpan OwnershipExpiry { get; init; }

    public required bool Fencing { get; init; }

    public required TimeSpan DrainLimit { get; init; }

    public TimeSpan? DeliveryLimit { get; init; }

    public int? CheckpointEvents { get; init; }

    public TimeSpan? CheckpointInterval { get; init; }

    public int? Window { get; init; }

    public int? ReplayLimit { get; init; }

    public required int RetryLimit { get; init; }

    public required PoisonPolicy OnPoison { get; init; }

    public required bool AcceptGap { get; init; }

    public required bool Follow { get; init; }

    /// <summary>For how long is measured.</summary>
    public MeasuringTimes? Measuring { get; init; }

    /// <summary>The emulator that the run shares with others, whose use of the processors is measured as well.</summary>
    public SharedEmulator? Emulator { get; init; }

    public string? Output { get; init; }

    public string? Ledger { get; init; }

    public string? Journal { get; init; }

    public required KillPoint KillPoint { get; init; }

    /// <summary>At which time that the kill point is reached.</summary>
    public required int KillNth { get; init; }

    public static RunSettings Of(ConsumerOptions options) =>
        new()
        {
            Run = options.Run,
            Strategy = options.Strategy.Name,
            AllowUnsafe = options.AllowUnsafe,
            StrategyOptions = options.StrategyOptions,
            StrategyAssembly = options.StrategyAssembly,
            Sinks = options.Sinks.SequenceEqual(SinkCatalog.All) ? null : [.. options.Sinks.Select(static sink => sink.Name)],
            SinkAssembly = options.SinkAssembly,
            Clients = options.Clients.Name,
            CheckpointStore = options.Clients.CheckpointStore,
            Degree = options.Degree,
            Batch = options.Batch,
            Prefetch = options.Prefetch,
            WorkCpu = options.Work.Cpu,
            WorkBlock = options.Work.Block,
            Identifier = options.Identifier,
            Balancing = options.Balancing,
            BalancingInterval = options.BalancingInterval,
            OwnershipExpiry = options.OwnershipExpiry,
            Fencing = options.Fencing,
            DrainLimit = options.DrainLimit,
            DeliveryLimit = options.DeliveryLimit,
            CheckpointEvents = options.Checkpoints.Events,
            CheckpointInterval = options.Checkpoints.Interval,
            Window = options.Window,
            ReplayLimit = options.ReplayLimit,
            RetryLimit = options.RetryLimit,
            OnPoison = options.OnPoison,
            AcceptGap = options.AcceptGap,
            Follow = options.Follow,
            Measuring = options.Measuring,
            Emulator = options.Emulator,
            Output = options.Output,
            Ledger = options.Ledger,
            Journal = options.Journal,
            KillPoint = options.KillAt.Point,
            KillNth = options.KillAt.Nth,
        };

    /// <summary>The options of a run that was named by whoever started it.</summary>
    /// <exception cref="UsageException">This build does not know the strategy or the clients.</exception>
    public ConsumerOptions ToOptions()
    {
        if (StrategyAssembly is not null && BuildOffer.Current.Strategies.All(known => known.Name != Strategy))
        {
            BuildOffer.Extend(Configuration.StrategyAssembly.Load(StrategyAssembly));
        }

        if (SinkAssembly is not null && Sinks is not null)
        {
            BuildOffer.ExtendSinks(SinkAssembly);
        }

        return new ConsumerOptions
        {
            Run = Run,
            RunIsNamed = true,
            Strategy =
                BuildOffer.Current.Strategies.FirstOrDefault(known => known.Name == Strategy) ?? throw new UsageException($"strategy '{Strategy}': unknown"),
            AllowUnsafe = AllowUnsafe,
            StrategyOptions = StrategyOptions,
            StrategyAssembly = StrategyAssembly,
            Sinks = Sinks is null ? SinkCatalog.All : [.. Sinks.Select(SinkOf)],
            SinkAssembly = SinkAssembly,
            Clients = BuildOffer.FamilyOf(Clients, CheckpointStore),
            Degree = Degree,
            Batch = Batch,
            Prefetch = Prefetch,
            Work = new HandlerWork(WorkCpu, WorkBlock),
            Identifier = Identifier,
            Balancing = Balancing,
            BalancingInterval = BalancingInterval,
            OwnershipExpiry = OwnershipExpiry,
            Fencing = Fencing,
            DrainLimit = DrainLimit,
            DeliveryLimit = DeliveryLimit,
            Checkpoints = new CheckpointOptions { Events = CheckpointEvents, Interval = CheckpointInterval },
            Window = Window,
            ReplayLimit = ReplayLimit,
            RetryLimit = RetryLimit,
            OnPoison = OnPoison,
            AcceptGap = AcceptGap,
            Follow = Follow,
            Measuring = Measuring,
            Emulator = Emulator,
            Output = Output,
            Ledger = Ledger,
            Journal = Journal,
            KillAt = new KillOrder(KillPoint, KillNth),
        };
    }

    private static SinkDescriptor SinkOf(string name) =>
        SinkCatalog.All.Concat(BuildOffer.Current.Sinks?.All ?? []).FirstOrDefault(known => known.Name == name)
        ?? throw new UsageException($"sink '{name}': unknown");
}
