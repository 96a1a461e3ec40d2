using System.Text.Json.Serialization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing;

/// <summary>The options of a processing. Every default is safe. <see cref="Validate"/> refuses conflicting options.</summary>
public record ProcessingOptions
{
    /// <summary>The largest <see cref="MaxConcurrency"/>.</summary>
    public const int MaxConcurrencyLimit = EventPumpOptions.MaxConcurrencyLimit;

    /// <summary>The largest batch.</summary>
    public const int MostBatch = 10_000;

    /// <summary>The largest window.</summary>
    public const int MostWindow = EventPumpOptions.WindowLimit;

    /// <summary>The largest replay limit.</summary>
    public const int MostReplay = 100_000_000;

    /// <summary>The most events between two checkpoints.</summary>
    public const int MostCheckpointEvents = 10_000_000;

    /// <summary>The longest identifier, in characters.</summary>
    public const int LongestIdentifier = 256;

    /// <summary>The shortest time of any option except the delivery limit: 1 ms.</summary>
    public static readonly TimeSpan LeastTime = TimeSpan.FromMilliseconds(1);

    /// <summary>The longest time of any option: 1 day.</summary>
    public static readonly TimeSpan MostTime = TimeSpan.FromDays(1);

    /// <summary>The shortest delivery limit.</summary>
    public static readonly TimeSpan LeastDeliveryLimit = TimeSpan.FromSeconds(2);

    /// <summary>The order and the concurrency of the writes. Default <c>combined</c>.</summary>
    public StrategyDescriptor Strategy { get; init; } = StrategyCatalog.Find("combined");

    /// <summary>Whether a strategy may be chosen that loses events when a write fails. Default false.</summary>
    [JsonInclude]
    internal bool AllowUnsafe { get; init; }

    /// <summary>The values of the strategy's options, by name. The others have their defaults.</summary>
    public IReadOnlyDictionary<string, int> StrategyOptions { get; init; } = new Dictionary<string, int>(StringComparer.Ordinal);

    /// <summary>
    /// The most events in flight per partition, or operations at each sink where the strategy's degree bounds these, 1 to 4,096. Strategies that process
    /// events in turn always have 1. Default 16.
    /// </summary>
    [JsonPropertyName("degree")]
    public int MaxConcurrency { get; init; } = 16;

    /// <summary>The seed of the strategy's random numbers. Null: another one for each run.</summary>
    public int? Seed { get; init; }

    /// <summary>The largest batch, 1 to 10,000 events. Default 10.</summary>
    public int BatchSize { get; init; } = 10;

    /// <summary>Events requested ahead, 0 to 10,000. 0 asks for one batch at each read. Default 300.</summary>
    public int Prefetch { get; init; } = 300;

    /// <summary>
    /// The most events handed over and not passed by the low watermark, at least the degree, at most 10,000,000. Null: the value that the strategy needs.
    /// </summary>
    public int? Window { get; init; }

    /// <summary>
    /// The most events that a crash may repeat per partition, at most 100,000,000. Null: the smallest value that does not stall the processing.
    /// </summary>
    public int? ReplayLimit { get; init; }

    /// <summary>When checkpoints are stored. Default: at each batch end.</summary>
    public CheckpointOptions Checkpoints { get; init; } = new();

    /// <summary>The policy for an event that a sink has failed for good. Default: processing drains and ends before it.</summary>
    public PoisonPolicy OnPoison { get; init; } = PoisonPolicy.Stop;

    /// <summary>Tries of a write after the first, 0 to 1,000. Tries without a connection do not count. Default 5.</summary>
    public int Retries { get; init; } = 5;

    /// <summary>
    /// How long a write may take with all its tries, 1 ms to 1 day. No try begins later. A try of a sink that limits itself
    /// (<see cref="ISink{TEvent}.LimitsItself"/>) may end later by its client's limit. Default 60 s.
    /// </summary>
    public TimeSpan OperationLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long writes in flight may take to finish when processing stops, 1 ms to 1 day. Default 30 s.</summary>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long the hub may have events of an owned partition of which none is delivered while everything delivered is complete. 2 s to 1 day. Then
    /// processing ends with a fault of kind <see cref="ProcessingFaultKind.Dependency"/>. Null: three times <see cref="OperationLimit"/>, plus the times of
    /// ownership and checkpoints.
    /// </summary>
    public TimeSpan? DeliveryLimit { get; init; }

    /// <summary>This processor's name within its consumer group, 1 to 256 characters. Default: another one for each instance of these options.</summary>
    public string Identifier { get; init; } = $"processing-{Guid.NewGuid():N}";

    /// <summary>Time between two balancing cycles, 1 ms to 1 day. Default 10 s.</summary>
    public TimeSpan BalancingInterval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>An ownership not renewed for this long may be taken by others. At least twice the balancing interval, at most 1 day. Default 30 s.</summary>
    public TimeSpan OwnershipExpiry { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How partitions are claimed.</summary>
    public Balancing Balancing { get; init; } = Balancing.Greedy;

    /// <summary>The start of a partition without a checkpoint.</summary>
    public StartingPosition StartingPosition { get; init; } = StartingPosition.Earliest;

    /// <summary>Whether checkpoint writes are conditional on the last version that was read or written.</summary>
    public bool Fencing { get; init; } = true;

    /// <summary>Whether gaps in a partition's sequence numbers are accepted (<see cref="EventHubProcessorOptions.AcceptGaps"/>). Default false.</summary>
    public bool AcceptGaps { get; init; }

    /// <summary>Creates the observers of a partition when it is claimed, for metrics, logs and tests. What an observer throws is logged.</summary>
    [JsonIgnore]
    public Func<string, IEnumerable<PartitionObserver>> Observers { get; init; } = static _ => [];

    /// <summary>The last event that waited in a partition at the start, if processing is to end there: its checkpoint is stored immediately.</summary>
    [JsonIgnore]
    internal Func<string, long?> LastOfBacklog { get; init; } = static _ => null;

    /// <summary>
    /// Called with a line, from any thread, for events that are held because a write of them keeps failing. What it throws is logged. Null reports nothing.
    /// </summary>
    [JsonIgnore]
    public Action<string>? Notice { get; init; }

    /// <summary>Creates the loggers, category <c>EventHubThroughput.Processing</c>. Docs/logs.md lists every line. Null writes nothing.</summary>
    [JsonIgnore]
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    [JsonIgnore]
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The effective concurrency: 1 for a strategy that processes events in turn.</summary>
    public int MaxConcurrencyInForce => Strategy.MaxConcurrencyInForce(MaxConcurrency);

    /// <summary>Checks the options, as the constructors that take them do.</summary>
    /// <exception cref="InvalidOptionsException">An option is outside of its limits, or options conflict. The exception has all problems.</exception>
    public void Validate() => InvalidOptionsException.ThrowIfAny(Problems(), nameof(ProcessingOptions));

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal virtual IEnumerable<string> Problems()
    {
        if (MaxConcurrency is < 1 or > MaxConcurrencyLimit)
        {
            yield return $"{nameof(MaxConcurrency)} {MaxConcurrency}: allowed 1 to {MaxConcurrencyLimit}";
        }

        if (BatchSize is < 1 or > MostBatch)
        {
            yield return $"{nameof(BatchSize)} {BatchSize}: allowed 1 to {MostBatch}";
        }

        if (Prefetch is < 0 or > MostBatch)
        {
            yield return $"{nameof(Prefetch)} {Prefetch}: allowed 0 to {MostBatch}";
        }

        if (Retries is < 0 or > EventPumpOptions.RetriesLimit)
        {
            yield return $"{nameof(Retries)} {Retries}: allowed 0 to {EventPumpOptions.RetriesLimit}";
        }

        if (string.IsNullOrWhiteSpace(Identifier) || Identifier.Length > LongestIdentifier)
        {
            yield return $"{nameof(Identifier)} '{Identifier}': allowed 1 to {LongestIdentifier} characters, unique among the processors of a consumer group";
        }

        var isBalanced = true;
        (string Name, TimeSpan Value, TimeSpan Least)[] times =
        [
            (nameof(OperationLimit), OperationLimit, LeastTime),
            (nameof(DrainLimit), DrainLimit, LeastTime),
            (nameof(BalancingInterval), BalancingInterval, LeastTime),
            (nameof(OwnershipExpiry), OwnershipExpiry, LeastTime),
            (nameof(DeliveryLimit), DeliveryLimit ?? LeastDeliveryLimit, LeastDeliveryLimit),
            ($"{nameof(Checkpoints)}.{nameof(Checkpoints.Interval)}", Checkpoints.Interval ?? LeastTime, LeastTime),
        ];
        foreach (var (name, value, least) in times)
        {
            if (value < least || value > MostTime)
            {
                isBalanced = false;
                yield return $"{name} {value}: allowed {least} to {MostTime}";
            }
        }

        (string Name, int? Value, int Least, int Most)[] counts =
        [
            ($"{nameof(Checkpoints)}.{nameof(Checkpoints.Events)}", Checkpoints.Events, 1, MostCheckpointEvents),
            (nameof(Window), Window, 1, MostWindow),
            (nameof(ReplayLimit), ReplayLimit, 1, MostReplay),
        ];
        foreach (var (name, value, least, most) in counts)
        {
            if (value < least || value > most)
            {
                yield return $"{name} {value}: allowed {least} to {most}";
            }
        }

        if (isBalanced && OwnershipExpiry < 2 * BalancingInterval)
        {
            yield return $"{nameof(OwnershipExpiry)} {OwnershipExpiry}: at least twice {nameof(BalancingInterval)} {BalancingInterval}";
        }

        if (Window < MaxConcurrency)
        {
            yield return $"{nameof(Window)} {Window}: at least {nameof(MaxConcurrency)} {MaxConcurrency}";
        }

        if (Strategy.Unsafe is { } practice)
        {
            if (!AllowUnsafe)
            {
                yield return $"{nameof(Strategy)} {Strategy.Name}: loses events and is refused. {practice.Why}";
            }

            if (!Strategy.IsBarrier)
            {
                yield return $"{nameof(Strategy)} {Strategy.Name}: unsafe and without a barrier, so its position would pass events in flight at a batch end";
            }

            if (practice.LeastBatchOption is { } option && StrategyOptions.GetValueOrDefault(option) is var wanted && wanted > BatchSize)
            {
                yield return $"{nameof(StrategyOptions)} '{option}' {wanted}: at most {nameof(BatchSize)} {BatchSize}";
            }

            if (!Checkpoints.EachBatch)
            {
                yield return $"{nameof(Checkpoints)}: {Strategy.Name} has its own rule";
            }
        }

        var leastReplay = DispatchLimits.LeastReplay(Strategy.IsBarrier, BatchSize, MaxConcurrency, CheckpointsInForce, Window);
        if (ReplayLimit < leastReplay)
        {
            yield return $"{nameof(ReplayLimit)} {ReplayLimit}: at least window + checkpoint events ({leastReplay})";
        }

        foreach (var problem in StrategyOptionValues.ProblemsOf(Strategy.Options, StrategyOptions))
        {
            yield return $"{nameof(StrategyOptions)} {problem}";
        }
    }

    /// <summary>How far processing may run ahead of the low watermark and of the last checkpoint.</summary>
    public DispatchLimits Limits => DispatchLimits.For(Strategy.IsBarrier, BatchSize, MaxConcurrency, CheckpointsInForce, Window, ReplayLimit);

    /// <summary>When checkpoints are stored: by the option, or by the rule of an unsafe strategy.</summary>
    internal CheckpointOptions CheckpointsInForce =>
        Strategy.Unsafe?.CheckpointFrequencyOption is { } option ? Checkpoints with { Batches = OwnOption(option) } : Checkpoints;

    internal BatchGathering? Gathering =>
        Strategy.Unsafe is { LeastBatchOption: { } least, LongestWaitOption: { } wait }
            ? new BatchGathering(OwnOption(least), BatchSize, TimeSpan.FromMilliseconds(OwnOption(wait)))
            : null;

    /// <summary>The retry options of writes for clients that are created here: one try, which may not take longer than a write.</summary>
    internal RetryOptions ClientWrites =>
        OperationLimit < RetryOptions.Once.TryTimeout ? RetryOptions.Once with { TryTimeout = OperationLimit } : RetryOptions.Once;

    internal RetryRule RetryRule => new() { Limit = Retries, OperationLimit = OperationLimit };

    internal StrategyOptionValues StrategyValues => StrategyOptionValues.Of(Strategy.Options, StrategyOptions);

    /// <summary>
    /// The longest time that correct processing may need: three times all tries of a write, a change of owner, a checkpoint that is not due.
    /// </summary>
    internal TimeSpan StandstillLimit => (3 * OperationLimit) + OwnershipExpiry + BalancingInterval + (Checkpoints.Interval ?? TimeSpan.Zero);

    /// <summary>The effective delivery limit. It includes the time for which a strategy collects events before they are handed over.</summary>
    internal TimeSpan DeliveryLimitInForce => (DeliveryLimit ?? StandstillLimit) + (Gathering?.Longest ?? TimeSpan.Zero);

    // Called before the value is validated: a value out of its range is a separate problem.
    private int OwnOption(string name) =>
        StrategyOptions.TryGetValue(name, out var chosen) ? chosen : Strategy.Options.First(option => option.Name == name).Default;
}
