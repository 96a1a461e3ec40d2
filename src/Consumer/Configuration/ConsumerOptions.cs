using System.Net;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>What a run was asked to do, every default filled in.</summary>
internal sealed record ConsumerOptions
{
    /// <summary>Names the run in metrics, results and, embedded, in hub, queue and containers.</summary>
    public required string Run { get; init; }

    /// <summary>Whether the run was named by its user: only then does a ledger of several runs say which is meant.</summary>
    public bool RunIsNamed { get; init; }

    /// <summary>The arguments of the program that ask for it, for whoever wants to run it again; no secret is ever one.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    public required StrategyDescriptor Strategy { get; init; }

    /// <summary>Whether the strategy may be one that loses events.</summary>
    public bool AllowUnsafe { get; init; }

    /// <summary>What was chosen of the strategy's own options.</summary>
    public IReadOnlyDictionary<string, int> StrategyOptions { get; init; } = new Dictionary<string, int>(StringComparer.Ordinal);

    /// <summary>The assembly that the strategies of somebody's own come from, by its full path.</summary>
    public string? StrategyAssembly { get; init; }

    /// <summary>What the strategy's own options are set to, those at their defaults included.</summary>
    public IReadOnlyDictionary<string, int> StrategyOptionsInForce => StrategyOptionValues.Of(Strategy.Options, StrategyOptions).All;

    /// <summary>Where every event goes; their order is that of their places.</summary>
    public IReadOnlyList<SinkDescriptor> Sinks { get; init; } = SinkCatalog.All;

    /// <summary>The assembly that the sinks of somebody's own come from, by its full path.</summary>
    public string? SinkAssembly { get; init; }

    /// <summary>What the handler does beside its writes; nothing unless chosen.</summary>
    public HandlerWork Work { get; init; }

    public ClientFamily Clients { get; init; } = BuildOffer.Clients[0];

    /// <summary>What is logged on standard error, beside what is said there to people.</summary>
    public LogChoice Log { get; init; } = LogChoice.Nothing;

    /// <summary>The degree that was chosen.</summary>
    public required int Degree { get; init; }

    /// <summary>The degree that the strategy is held to.</summary>
    public int DegreeInForce => Strategy.DegreeInForce(Degree);

    public required int Batch { get; init; }

    public required int Prefetch { get; init; }

    public required string Identifier { get; init; }

    public required Balancing Balancing { get; init; }

    public required TimeSpan BalancingInterval { get; init; }

    public required TimeSpan OwnershipExpiry { get; init; }

    public required bool Fencing { get; init; }

    public required TimeSpan DrainLimit { get; init; }

    /// <summary>How long the hub may have events that are not delivered; null leaves it to the processing.</summary>
    public TimeSpan? DeliveryLimit { get; init; }

    public required CheckpointOptions Checkpoints { get; init; }

    /// <summary>The window that was chosen; null leaves it to strategy and batch.</summary>
    public int? Window { get; init; }

    /// <summary>The replay limit that was chosen; null lets it follow from window and checkpoints.</summary>
    public int? ReplayLimit { get; init; }

    /// <summary>How far processing may run ahead of the low watermark and of the checkpoint; follows the strategy when that is exchanged.</summary>
    public DispatchLimits Limits => Processing.Limits;

    /// <summary>The options of the processing itself.</summary>
    public ProcessingOptions Processing =>
        new()
        {
            Strategy = Strategy,
            AllowUnsafe = AllowUnsafe,
            StrategyOptions = StrategyOptions,
            Degree = Degree,
            BatchSize = Batch,
            Prefetch = Prefetch,
            Window = Window,
            ReplayLimit = ReplayLimit,
            Checkpoints = Checkpoints,
            OnPoison = OnPoison,
            Retries = RetryLimit,
            DrainLimit = DrainLimit,
            DeliveryLimit = DeliveryLimit,
            Identifier = Identifier,
            BalancingInterval = BalancingInterval,
            OwnershipExpiry = OwnershipExpiry,
            Balancing = Balancing,
            Fencing = Fencing,
            AcceptGaps = AcceptGap,
        };

    /// <summary>When checkpoints are stored with the strategy that was chosen.</summary>
    public CheckpointOptions CheckpointsInForce => Checkpoints.For(Strategy.IsBarrier);

    /// <summary>Whether a checkpoint is stored at each batch end. A strategy without a barrier has no such ends.</summary>
    public bool StoresAtBatchEnds => CheckpointsInForce.EachBatch;

    public required int RetryLimit { get; init; }

    /// <summary>What becomes of events that a sink has failed for good.</summary>
    public PoisonPolicy OnPoison { get; init; } = PoisonPolicy.Block;

    /// <summary>Goes on although events that were never processed are gone from the hub.</summary>
    public bool AcceptGap { get; init; }

    /// <summary>For how long is measured and what is left out before; null measures the whole backlog but for its first batches.</summary>
    public MeasuringTimes? Measuring { get; init; }

    /// <summary>Runs until it is stopped instead of ending when the backlog is drained.</summary>
    public required bool Follow { get; init; }

    /// <summary>Whether events come while the run goes on, so that there is no backlog to begin with.</summary>
    public bool IsFed => Follow || Embedded?.Rate is not null;

    /// <summary>What an embedded run sends to itself; null with settings present.</summary>
    public EmbeddedOptions? Embedded { get; init; }

    /// <summary>The emulator of whoever started this run; null embedded and on a namespace.</summary>
    public SharedEmulator? Emulator { get; init; }

    public string? Output { get; init; }

    public string? Ledger { get; init; }

    public string? Journal { get; init; }

    /// <summary>Where the run kills its own process; nowhere, but for tests of crashes.</summary>
    public KillOrder KillAt { get; init; }

    /// <summary>Null serves no metrics.</summary>
    public MetricsOptions? Metrics { get; init; }

    /// <summary>Where metrics and traces are sent; null sends none.</summary>
    public OtlpOptions? Otlp { get; init; }
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
    BodySizes Size,
    int Keys,
    string? Keep,
    string? Faults = null,
    string? Rate = null,
    string Clients = ClientFamily.Official,
    int? EmulatorCeiling = null
)
{
    /// <summary>Zipf exponent of the keys; 0: all equally frequent.</summary>
    public double KeySkew { get; init; }

    /// <summary>The partition that all events go to; null leaves that to keys or to the hub.</summary>
    public int? Partition { get; init; }

    /// <summary>The file whose events are replayed; null generates them.</summary>
    public string? Input { get; init; }

    /// <summary>The field of the file that is the partition key; null sends without keys.</summary>
    public string? KeyField { get; init; }

    /// <summary>How many events there will be; null where only the file knows.</summary>
    public int? KnownEvents => Input is null ? Events : null;

    /// <summary>Consumer groups of the hub beside the default one, for runs that are to read the same events.</summary>
    public IReadOnlyList<string> Groups { get; init; } = [];

    /// <summary>How many hubs hold these events, each all of them.</summary>
    public int Hubs { get; init; } = 1;

    /// <summary>Whether messages go to a topic with one subscription instead of a queue.</summary>
    public bool Topic { get; init; }

    /// <summary>Where its sender sends metrics and traces as well; null sends none.</summary>
    public OtlpOptions? Otlp { get; init; }

    /// <summary>The folder in which Prometheus finds a sender that goes on beside the run; null serves no metrics of it.</summary>
    public string? MetricsTargets { get; init; }

    /// <summary>How long the emulator may take to start.</summary>
    public TimeSpan StartLimit { get; init; } = EmulatorStart.UsualLimit;

    /// <summary>What the programs log that an embedded run starts, among whose lines theirs come out; null leaves it to the environment.</summary>
    public LogChoice? Log { get; init; }
}

/// <summary>The sizes of the bodies that a run sends.</summary>
/// <param name="Text">As the option says them: 1024, or 64:90,4096:10.</param>
/// <param name="Mean">Their mean in bytes.</param>
internal sealed record BodySizes(string Text, double Mean)
{
    /// <summary>The smallest of them in bytes.</summary>
    public int Least { get; private init; }

    /// <summary>The largest of them in bytes.</summary>
    public int Most { get; private init; }

    /// <summary>Those of a run that was told none.</summary>
    public static BodySizes Usual { get; } = Of([(1024, 1)]);

    /// <summary>The sizes of these weights.</summary>
    public static BodySizes Of(IReadOnlyList<(int Size, int Weight)> parts) =>
        new(LoadText.OfSizes(parts), parts.Sum(static part => (double)part.Size * part.Weight) / parts.Sum(static part => (double)part.Weight))
        {
            Least = parts.Min(static part => part.Size),
            Most = parts.Max(static part => part.Size),
        };
}

/// <summary>Where metrics are served, and how long a watched run stays for its last scrapes.</summary>
internal sealed record MetricsOptions(IPAddress Address, int? Port, TimeSpan Linger)
{
    /// <summary>The folder in which Prometheus finds what is served; null lists it nowhere.</summary>
    public string? Targets { get; init; }
}
