namespace EventHubThroughput.Lab.Results;

/// <summary>The result of <c>consumer model</c>: what runs would reach.</summary>
internal sealed record ModelResult
{
    /// <summary>What the document is.</summary>
    public required ModelHeader Run { get; init; }

    /// <summary>The settings of all strategies.</summary>
    public required ModelInput Input { get; init; }

    /// <summary>The configuration for the rate that was needed. Null without one.</summary>
    public RecommendedConfiguration? Recommended { get; init; }

    /// <summary>What each strategy would reach, in the order of the catalogue.</summary>
    public required IReadOnlyList<ModelledStrategy> Strategies { get; init; }
}

/// <summary>What the document is.</summary>
internal sealed record ModelHeader
{
    /// <summary>The version of this document's form, 1.</summary>
    public required int Schema { get; init; }

    /// <summary>The kind of the document, here a model.</summary>
    public required ResultKind Kind { get; init; }

    /// <summary>The version of the program.</summary>
    public required string Version { get; init; }
}

/// <summary>What all strategies of a model have in common.</summary>
internal sealed record ModelInput
{
    /// <summary>The latency profile, by its name.</summary>
    public required string Profile { get; init; }

    /// <summary>The described writes of an event, in place of message and blob. Null for these two.</summary>
    public IReadOnlyList<string>? Writes { get; init; }

    /// <summary>The degree that was chosen.</summary>
    public required int Degree { get; init; }

    /// <summary>Most events in a batch.</summary>
    public required int BatchMax { get; init; }

    /// <summary>Events requested ahead.</summary>
    public required int Prefetch { get; init; }

    /// <summary>The window that was chosen. Null where it follows from strategy, degree and batch.</summary>
    public int? Window { get; init; }

    /// <summary>The replay limit that was chosen. Null where it follows from window and checkpoints.</summary>
    public int? ReplayLimit { get; init; }

    /// <summary>A checkpoint is stored after this number of events. Null where no count was chosen.</summary>
    public int? CheckpointEvents { get; init; }

    /// <summary>The time between checkpoints. Null where no time was chosen.</summary>
    public double? CheckpointIntervalMs { get; init; }

    /// <summary>Partitions.</summary>
    public required int Partitions { get; init; }

    /// <summary>Partition keys. 0 for events without one.</summary>
    public required int Keys { get; init; }

    /// <summary>Zipf exponent of the keys.</summary>
    public required double KeySkew { get; init; }

    /// <summary>Mean bytes of an event.</summary>
    public required double BodyBytesMean { get; init; }

    /// <summary>The computation for each event, in microseconds of a processor.</summary>
    public required double WorkCpuUs { get; init; }

    /// <summary>For how long it holds a thread.</summary>
    public required double WorkBlockMs { get; init; }

    /// <summary>Processors for that.</summary>
    public required int Processors { get; init; }

    /// <summary>Events simulated for each strategy, at least.</summary>
    public required int Events { get; init; }

    /// <summary>Seed of all draws.</summary>
    public required int Seed { get; init; }
}

/// <summary>What a strategy would reach. A figure that cannot be predicted is null.</summary>
internal sealed record ModelledStrategy
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>Whether it loses events when a write fails.</summary>
    public required bool Unsafe { get; init; }

    /// <summary>The order that it keeps: none, key or partition.</summary>
    public required string Order { get; init; }

    /// <summary>The values of its options.</summary>
    public required IReadOnlyDictionary<string, int> Options { get; init; }

    /// <summary>Most events of a partition that a crash would repeat.</summary>
    public long? ReplayLimit { get; init; }

    /// <summary>The closed form in words, or that and how it was simulated.</summary>
    public string? Form { get; init; }

    /// <summary>Why there is no prediction. Null where there is one.</summary>
    public string? NotPredicted { get; init; }

    /// <summary>Events a second over all partitions.</summary>
    public double? EventsPerS { get; init; }

    /// <summary>That by the rate of the first strategy of the catalogue.</summary>
    public double? TimesBaseline { get; init; }

    /// <summary>From the beginning of an event's first write until every sink has it: the stage <c>event</c> of a run.</summary>
    public ModelledTimes? Event { get; init; }

    /// <summary>From its hand-over to the strategy until every sink has it.</summary>
    public ModelledTimes? SinceHandOver { get; init; }

    /// <summary>Mean of the events in flight, over all partitions.</summary>
    public double? MeanInFlight { get; init; }

    /// <summary>Checkpoints stored for a thousand events.</summary>
    public double? CheckpointsPerThousandEvents { get; init; }

    /// <summary>Most events of a partition that a crash would have repeated in the simulation.</summary>
    public long? LargestReplay { get; init; }

    /// <summary>Operations that a quota refused, for a thousand events.</summary>
    public double? ThrottlesPerThousandEvents { get; init; }
}

/// <summary>The configuration with the lowest degree that reaches a needed rate, or the one that comes nearest.</summary>
internal sealed record RecommendedConfiguration
{
    /// <summary>The needed events a second, over all partitions.</summary>
    public required double NeedPerS { get; init; }

    /// <summary>The order that it must keep: none, key or partition.</summary>
    public required string Order { get; init; }

    /// <summary>Whether it reaches the need.</summary>
    public required bool Reached { get; init; }

    /// <summary>The recommendation in a sentence.</summary>
    public required string Sentence { get; init; }

    /// <summary>Its strategy.</summary>
    public required string Strategy { get; init; }

    /// <summary>Its degree.</summary>
    public required int Degree { get; init; }

    /// <summary>Its window.</summary>
    public required int Window { get; init; }

    /// <summary>Most events in a batch.</summary>
    public required int BatchMax { get; init; }

    /// <summary>Events a second that it would reach.</summary>
    public required double EventsPerS { get; init; }

    /// <summary>Ninety-nine of a hundred events would take no longer, from their hand-over, in milliseconds.</summary>
    public required double P99Ms { get; init; }

    /// <summary>Most events of a partition that a crash would repeat.</summary>
    public required long ReplayLimit { get; init; }

    /// <summary>The options of a run.</summary>
    public required string Options { get; init; }

    /// <summary>The call of an event pump in C#, a line each.</summary>
    public required IReadOnlyList<string> Code { get; init; }
}

/// <summary>Times in milliseconds.</summary>
internal sealed record ModelledTimes
{
    /// <summary>Their mean.</summary>
    public required double MeanMs { get; init; }

    /// <summary>Half of them took no longer.</summary>
    public required double P50Ms { get; init; }

    /// <summary>Ninety-nine of a hundred took no longer.</summary>
    public required double P99Ms { get; init; }
}
