using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Results;

/// <summary>How events were processed: the strategy and the limits in force.</summary>
internal sealed record StrategyDetails
{
    /// <summary>The strategy.</summary>
    public required string Name { get; init; }

    /// <summary>The assembly that the strategy came from. Null for one of this program.</summary>
    public AssemblyDetails? Assembly { get; init; }

    /// <summary>What makes the strategy unsafe, in one sentence. Null for one that loses nothing.</summary>
    public string? Unsafe { get; init; }

    /// <summary>Breaches of invariants that were only counted as the strategy is unsafe. Null for any other, where the first ends the run.</summary>
    public long? CountedBreaches { get; init; }

    /// <summary>The values of the strategy's own options, by name, defaults included.</summary>
    public IReadOnlyDictionary<string, int> Options
    {
        get;
        init => field = Given.OrEmpty(value);
    } = new Dictionary<string, int>(StringComparer.Ordinal);

    /// <summary>The limit of the strategy per partition: the most events in flight, or for batched the most operations under way at each sink.</summary>
    public required int Degree { get; init; }

    /// <summary>The events that really were in flight: begun at a sink and not complete.</summary>
    public required DegreeReached DegreeReached { get; init; }

    /// <summary>The mean over time of the distinct keys among the events in flight, over all partitions. Null where events have none or nothing was measured.</summary>
    public double? KeysInFlight { get; init; }

    /// <summary>The degrees that the strategy has set by itself, at most 4,096 of them, evenly. Null where it sets none.</summary>
    public IReadOnlyList<DegreeInForce>? DegreesInForce { get; init; }

    /// <summary>The largest batch that was requested, in events.</summary>
    public required int BatchMax { get; init; }

    /// <summary>How often batches of each size occurred in the measured section, by the size in events.</summary>
    public required IReadOnlyDictionary<int, long> BatchSizes { get; init; }

    /// <summary>How long the handler computed for each event beside its writes, in microseconds.</summary>
    public double WorkCpuUs { get; init; }

    /// <summary>How long the handler held its thread for each event without computing, in milliseconds.</summary>
    public double WorkBlockMs { get; init; }

    /// <summary>Events requested ahead.</summary>
    public required int Prefetch { get; init; }

    /// <summary>A checkpoint was stored after this number of events. Null for no count.</summary>
    public int? CheckpointEvents { get; init; }

    /// <summary>A checkpoint was stored after this time, in milliseconds. Null for no time.</summary>
    public double? CheckpointIntervalMs { get; init; }

    /// <summary>The policy for events that failed for good at a sink. Null where the strategy is unsafe and nothing did.</summary>
    public required PoisonPolicy? OnPoison { get; init; }

    /// <summary>The most events handed over above the low watermark.</summary>
    public required int Window { get; init; }

    /// <summary>The most events handed over above the stored checkpoint, which a crash may repeat.</summary>
    public required long ReplayLimit { get; init; }
}

/// <summary>A degree that a strategy has set by itself.</summary>
internal sealed record DegreeInForce
{
    /// <summary>Since the first batch of the run, in seconds.</summary>
    public required double AtS { get; init; }

    /// <summary>The partition.</summary>
    public required string Partition { get; init; }

    /// <summary>The most events in flight on it from then on.</summary>
    public required int Degree { get; init; }
}

/// <summary>The events that were in flight concurrently on a partition.</summary>
internal sealed record DegreeReached
{
    /// <summary>Their mean by Little's law. Null over several partitions and where nothing was measured.</summary>
    public double? Mean { get; init; }

    /// <summary>The most. Null where no event was begun in the measured section.</summary>
    public int? Max { get; init; }
}
