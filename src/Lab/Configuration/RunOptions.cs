using System.Text.Json.Serialization;
using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// What a run is, every default filled in. The record is declared here once. It is the settings document by which one process starts another (<see
/// cref="RunDocument"/>), and part of the result of a run.
/// </summary>
internal sealed record RunOptions
{
    /// <summary>Names the run in metrics, results and, embedded, in hub, queue and containers.</summary>
    public required string Run { get; init; }

    /// <summary>Whether the run was named by its user. Only then does a ledger of several runs show which one to judge.</summary>
    public bool RunIsNamed { get; init; }

    /// <summary>The arguments of the program, to run it again. No secret is ever one. Each process has its own.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>How events are processed: the options of the library, as for any other host.</summary>
    public required ProcessingOptions Processing { get; init; }

    /// <summary>The assembly that custom strategies come from, by its full path.</summary>
    public string? StrategyAssembly { get; init; }

    /// <summary>The clients and their checkpoint store.</summary>
    public ClientFamily Clients { get; init; } = AvailableComponents.Clients[0];

    /// <summary>The destinations of every event. Their order is that of their places.</summary>
    public IReadOnlyList<SinkDescriptor> Sinks { get; init; } = SinkCatalog.All;

    /// <summary>The assembly that custom sinks come from, by its full path.</summary>
    public string? SinkAssembly { get; init; }

    /// <summary>The described writes that are the sinks, in the form of the option. Null for other sinks.</summary>
    public IReadOnlyList<string>? Writes { get; init; }

    /// <summary>The work of the handler beside its writes. None by default.</summary>
    public HandlerWork Work { get; init; }

    /// <summary>The events that an embedded run sends to itself. Null with connection settings.</summary>
    public LoadOptions? Load { get; init; }

    /// <summary>The emulator of the process that started this run. Null embedded and on a namespace.</summary>
    public SharedEmulator? Emulator { get; init; }

    /// <summary>Runs until it is stopped instead of ending when the backlog is drained.</summary>
    public bool Follow { get; init; }

    /// <summary>How long the run is measured and what is left out before. Null measures the whole backlog except its first batches.</summary>
    public MeasuringTimes? Measuring { get; init; }

    /// <summary>What the run writes and shows.</summary>
    public OutputOptions Outputs { get; init; } = new();

    /// <summary>Where the run kills its own process. Used only by tests of crashes.</summary>
    public KillOrder KillAt { get; init; }

    /// <summary>Whether events come during the run, so that there is no backlog at its start.</summary>
    public bool IsFed => Follow || Load?.Rate is not null;

    /// <summary>The latency profile of the emulator, by its name or file. Null on a namespace.</summary>
    public string? Profile => Load?.Profile ?? Emulator?.Profile;

    /// <summary>The values of the strategy's own options, defaults included.</summary>
    public IReadOnlyDictionary<string, int> StrategyOptionsInForce => StrategyOptionValues.Of(Processing.Strategy.Options, Processing.StrategyOptions).All;

    /// <summary>When checkpoints are stored with the strategy that was chosen.</summary>
    public CheckpointOptions CheckpointsInForce => Processing.Checkpoints.For(Processing.Strategy.IsBarrier);

    /// <summary>Whether a checkpoint is stored at each batch end. A strategy without a barrier has no such ends.</summary>
    public bool StoresAtBatchEnds => CheckpointsInForce.EachBatch;

    /// <summary>The same run with other sinks. It names their assembly where one of them is custom.</summary>
    public RunOptions WithSinks(IReadOnlyList<SinkDescriptor> sinks, AvailableComponents components) =>
        this with
        {
            Sinks = sinks,
            SinkAssembly = components.Sinks is { } custom && sinks.Intersect(custom.All).Any() ? custom.File : null,
        };

    /// <summary>The same run with sinks that take as long as described writes.</summary>
    public RunOptions WithWrites(IReadOnlyList<DescribedWrite> writes) =>
        this with
        {
            Sinks = [.. writes.Select(DescribedSink.Of)],
            SinkAssembly = null,
            Writes = [.. writes.Select(static write => write.ToString())],
        };

    /// <summary>The same run with other options of its processing.</summary>
    public RunOptions With(Func<ProcessingOptions, ProcessingOptions> change) => this with { Processing = change(Processing) };
}

/// <summary>An emulator that several runs use one after another, and that none of them has started.</summary>
/// <param name="ProcessId">Its process, whose processor time and memory are read.</param>
/// <param name="Profile">The latency profile that it keeps, by its name or file.</param>
/// <param name="Ceiling">Its own rate on this machine, in events a second. Null where it was not measured.</param>
internal sealed record SharedEmulator(int ProcessId, string Profile, int? Ceiling);
