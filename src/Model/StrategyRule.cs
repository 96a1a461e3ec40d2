namespace EventHubThroughput.Model;

/// <summary>How the events of a partition are processed.</summary>
internal enum Discipline
{
    /// <summary>One batch at a time, with the concurrency of <see cref="EventConcurrency"/>.</summary>
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
internal enum EventConcurrency
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
/// <param name="SinksConcurrently">Whether an event is written to its sinks concurrently. Else in turn.</param>
internal sealed record StrategyRule(string Name, Discipline Discipline, EventConcurrency Bound, bool SinksConcurrently)
{
    /// <summary>The option of <c>batched</c>: milliseconds that events wait for others.</summary>
    public const string Linger = "batch-linger";

    /// <summary>The option of <c>functions</c>: fewest events of a batch.</summary>
    public const string LeastBatch = "min-batch";

    /// <summary>The option of <c>functions</c>: batches between two checkpoints.</summary>
    public const string CheckpointBatches = "checkpoint-batches";

    private static readonly StrategyRule[] All =
    [
        new("baseline", Discipline.Batch, EventConcurrency.One, SinksConcurrently: false),
        new("inloop", Discipline.Batch, EventConcurrency.One, SinksConcurrently: true),
        new("outloop", Discipline.Batch, EventConcurrency.Degree, SinksConcurrently: false),
        new("combined", Discipline.Batch, EventConcurrency.Degree, SinksConcurrently: true),
        new("foreachasync", Discipline.Batch, EventConcurrency.Degree, SinksConcurrently: true) { HasWorkAmongSinks = true },
        new("pipelined", Discipline.Pipeline, EventConcurrency.Degree, SinksConcurrently: true),
        new("keyed", Discipline.Keys, EventConcurrency.Degree, SinksConcurrently: true),
        new("keyed-shards", Discipline.Shards, EventConcurrency.Degree, SinksConcurrently: true),
        new("batched", Discipline.Groups, EventConcurrency.Degree, SinksConcurrently: true),
        new("adaptive", Discipline.Pipeline, EventConcurrency.Degree, SinksConcurrently: true) { FindsDegree = true },
        new("whenall", Discipline.Batch, EventConcurrency.Batch, SinksConcurrently: true) { WorksInTurn = true },
        new("published", Discipline.Batch, EventConcurrency.Processors, SinksConcurrently: true) { WorksInTurn = true },
        new("functions", Discipline.Batch, EventConcurrency.One, SinksConcurrently: false) { GathersBatches = true },
        new("outloop-dasync", Discipline.Batch, EventConcurrency.Degree, SinksConcurrently: false),
        new("combined-dasync", Discipline.Batch, EventConcurrency.Degree, SinksConcurrently: true),
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
    public int GetDegree(ModelSettings settings) =>
        Bound switch
        {
            EventConcurrency.One => 1,
            EventConcurrency.Batch => settings.Batch,
            EventConcurrency.Processors => Math.Max(1, settings.Processors - 1),
            _ => settings.Degree,
        };

    /// <summary>The number of batches for each checkpoint.</summary>
    public int BatchesPerCheckpoint(ModelSettings settings) => GathersBatches ? settings.Options.GetValueOrDefault(CheckpointBatches, 1) : 1;

    /// <summary>The fewest events that are handed over together.</summary>
    public int GetMinimum(ModelSettings settings) => GathersBatches ? settings.Options.GetValueOrDefault(LeastBatch, 1) : 1;
}
