namespace EventHubThroughput.Model;

/// <summary>How the events of a partition are processed.</summary>
internal enum Discipline
{
    /// <summary>One batch at a time, with the concurrency of <see cref="EventsAtOnce"/>.</summary>
    Batch,

    /// <summary>Across the ends of batches.</summary>
    Pipeline,

    /// <summary>Across the ends of batches, events of a key in turn.</summary>
    Keys,

    /// <summary>Across the ends of batches, events of a shard of keys in turn.</summary>
    Shards,

    /// <summary>Across the ends of batches, each sink independently and several events in one operation.</summary>
    Groups,
}

/// <summary>What limits the events in flight.</summary>
internal enum EventsAtOnce
{
    /// <summary>One after another.</summary>
    One,

    /// <summary>The degree.</summary>
    Degree,

    /// <summary>Only the batch.</summary>
    Batch,

    /// <summary>The processors minus one.</summary>
    Processors,
}

/// <summary>The parts of docs/strategies.md about a strategy that determine its rate.</summary>
/// <param name="Name">The value of <c>--strategy</c>.</param>
/// <param name="Discipline">How events are processed.</param>
/// <param name="Bound">What limits the events in flight.</param>
/// <param name="SinksAtOnce">Whether an event is written to its sinks concurrently. Else in turn.</param>
internal sealed record StrategyRule(string Name, Discipline Discipline, EventsAtOnce Bound, bool SinksAtOnce)
{
    /// <summary>The option of <c>batched</c>: milliseconds that events wait for others.</summary>
    public const string Linger = "batch-linger";

    /// <summary>The option of <c>functions</c>: fewest events of a batch.</summary>
    public const string LeastBatch = "min-batch";

    /// <summary>The option of <c>functions</c>: batches between two checkpoints.</summary>
    public const string CheckpointBatches = "checkpoint-batches";

    private static readonly StrategyRule[] All =
    [
        new("baseline", Discipline.Batch, EventsAtOnce.One, SinksAtOnce: false),
        new("inloop", Discipline.Batch, EventsAtOnce.One, SinksAtOnce: true),
        new("outloop", Discipline.Batch, EventsAtOnce.Degree, SinksAtOnce: false),
        new("combined", Discipline.Batch, EventsAtOnce.Degree, SinksAtOnce: true),
        new("foreachasync", Discipline.Batch, EventsAtOnce.Degree, SinksAtOnce: true) { HasWorkAmongSinks = true },
        new("pipelined", Discipline.Pipeline, EventsAtOnce.Degree, SinksAtOnce: true),
        new("keyed", Discipline.Keys, EventsAtOnce.Degree, SinksAtOnce: true),
        new("keyed-shards", Discipline.Shards, EventsAtOnce.Degree, SinksAtOnce: true),
        new("batched", Discipline.Groups, EventsAtOnce.Degree, SinksAtOnce: true),
        new("adaptive", Discipline.Pipeline, EventsAtOnce.Degree, SinksAtOnce: true) { FindsDegree = true },
        new("whenall", Discipline.Batch, EventsAtOnce.Batch, SinksAtOnce: true) { WorksInTurn = true },
        new("published", Discipline.Batch, EventsAtOnce.Processors, SinksAtOnce: true) { WorksInTurn = true },
        new("functions", Discipline.Batch, EventsAtOnce.One, SinksAtOnce: false) { GathersBatches = true },
        new("outloop-dasync", Discipline.Batch, EventsAtOnce.Degree, SinksAtOnce: false),
        new("combined-dasync", Discipline.Batch, EventsAtOnce.Degree, SinksAtOnce: true),
    ];

    /// <summary>Whether a handler's work runs concurrently with the sinks, like another sink. Else it is before the writes.</summary>
    public bool HasWorkAmongSinks { get; private init; }

    /// <summary>Whether the loop itself does the work of one event after another, before it starts their writes.</summary>
    public bool WorksInTurn { get; private init; }

    /// <summary>Whether the degree is found at run time, up to the given one.</summary>
    public bool FindsDegree { get; private init; }

    /// <summary>Whether events are collected until there are enough for a batch, and only every n-th batch end is stored.</summary>
    public bool GathersBatches { get; private init; }

    /// <summary>Whether each batch is complete before the next one is handed over.</summary>
    public bool IsBarrier => Discipline == Discipline.Batch;

    /// <summary>The rule of a strategy. Null for an unknown one.</summary>
    public static StrategyRule? Find(string name) => Array.Find(All, rule => rule.Name == name);

    /// <summary>The most events in flight on a partition.</summary>
    public int DegreeOf(ModelSettings settings) =>
        Bound switch
        {
            EventsAtOnce.One => 1,
            EventsAtOnce.Batch => settings.Batch,
            EventsAtOnce.Processors => Math.Max(1, settings.Processors - 1),
            _ => settings.Degree,
        };

    /// <summary>The number of batches for each checkpoint.</summary>
    public int BatchesPerCheckpoint(ModelSettings settings) => GathersBatches ? settings.Options.GetValueOrDefault(CheckpointBatches, 1) : 1;

    /// <summary>The fewest events that are handed over together.</summary>
    public int LeastOf(ModelSettings settings) => GathersBatches ? settings.Options.GetValueOrDefault(LeastBatch, 1) : 1;
}
