namespace EventHubThroughput.Model;

/// <summary>How the events of a partition are taken up.</summary>
internal enum Discipline
{
    /// <summary>A batch at a time, its events as many at once as <see cref="EventsAtOnce"/> says.</summary>
    Batch,

    /// <summary>Over the ends of batches.</summary>
    Pipeline,

    /// <summary>Over the ends of batches, events of a key in turn.</summary>
    Keys,

    /// <summary>Over the ends of batches, events of a shard of keys in turn.</summary>
    Shards,

    /// <summary>Over the ends of batches, each sink by itself and several events in one operation.</summary>
    Groups,
}

/// <summary>What bounds the events in flight.</summary>
internal enum EventsAtOnce
{
    /// <summary>One after another.</summary>
    One,

    /// <summary>The degree.</summary>
    Degree,

    /// <summary>Nothing but the batch.</summary>
    Batch,

    /// <summary>The processors less one.</summary>
    Processors,
}

/// <summary>What docs/strategies.md says of a strategy, as far as its rate follows from it.</summary>
/// <param name="Name">The value of <c>--strategy</c>.</param>
/// <param name="Discipline">How events are taken up.</param>
/// <param name="Bound">What bounds those in flight.</param>
/// <param name="SinksAtOnce">Whether an event goes to its sinks at once. Else in turn.</param>
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

    /// <summary>Whether a handler's work is one more sink that goes on beside the others. Else it comes before the writes.</summary>
    public bool HasWorkAmongSinks { get; private init; }

    /// <summary>Whether the loop itself does the work of one event after another, before it starts their writes.</summary>
    public bool WorksInTurn { get; private init; }

    /// <summary>Whether the degree is found while it runs, and is at most the one that was chosen.</summary>
    public bool FindsDegree { get; private init; }

    /// <summary>Whether events are kept until there are enough of them for a batch, and only every so many-th batch end is stored.</summary>
    public bool GathersBatches { get; private init; }

    /// <summary>Whether each batch is complete before the next one is handed over.</summary>
    public bool IsBarrier => Discipline == Discipline.Batch;

    /// <summary>The rule of a strategy. Null for one that nobody here knows.</summary>
    public static StrategyRule? Find(string name) => Array.Find(All, rule => rule.Name == name);

    /// <summary>Most events in flight on a partition.</summary>
    public int DegreeOf(ModelSettings settings) =>
        Bound switch
        {
            EventsAtOnce.One => 1,
            EventsAtOnce.Batch => settings.Batch,
            EventsAtOnce.Processors => Math.Max(1, settings.Processors - 1),
            _ => settings.Degree,
        };

    /// <summary>At the end of every so many-th batch its checkpoint is stored.</summary>
    public int BatchesPerCheckpoint(ModelSettings settings) => GathersBatches ? settings.Options.GetValueOrDefault(CheckpointBatches, 1) : 1;

    /// <summary>Fewest events that are handed over together.</summary>
    public int LeastOf(ModelSettings settings) => GathersBatches ? settings.Options.GetValueOrDefault(LeastBatch, 1) : 1;
}
