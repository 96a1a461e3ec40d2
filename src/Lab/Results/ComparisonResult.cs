using System.Text.Json.Serialization;

namespace EventHubThroughput.Lab.Results;

/// <summary>
/// The result of a comparison, schema 1: the settings, every cell with its whole result, and the conclusions from them. Units are in the
/// names, missing is null and never 0, and no secret is in it.
/// </summary>
internal sealed record ComparisonResult
{
    /// <summary>Which comparison it was.</summary>
    public required ComparisonHeader Comparison { get; init; }

    /// <summary>Which build measured.</summary>
    public required ProgramDetails Program { get; init; }

    /// <summary>What it ran on.</summary>
    public required MachineDetails Machine { get; init; }

    /// <summary>The settings.</summary>
    public required ComparisonSettings Settings { get; init; }

    /// <summary>What an event costs in the consumer beside its writes. Null where nothing was run.</summary>
    public OverheadDetails? Overhead { get; init; }

    /// <summary>The comparison in sentences, the answer first.</summary>
    public required IReadOnlyList<string> Sentences { get; init; }

    /// <summary>What was compared, in the order in which it was named. The first is what ratios refer to.</summary>
    public required IReadOnlyList<ComparedStrategy> Strategies { get; init; }

    /// <summary>The series of a sweep. Null for a comparison.</summary>
    public IReadOnlyList<SweptSeries>? Sweep { get; init; }

    /// <summary>Every pair of them, the faster one first. Empty for a sweep.</summary>
    public required IReadOnlyList<ComparedPair> Pairs { get; init; }

    /// <summary>Blocks whose first and last reference were too far apart, from 0. Nothing is concluded from them.</summary>
    public required IReadOnlyList<int> DiscardedBlocks { get; init; }

    /// <summary>Every cell in the order in which it was run.</summary>
    public required IReadOnlyList<ComparedCell> Cells { get; init; }
}

/// <summary>Which comparison it was and how it ended.</summary>
internal sealed record ComparisonHeader
{
    /// <summary>The version of this document's form, 1.</summary>
    public required int Schema { get; init; }

    /// <summary>The name of the comparison.</summary>
    public required string Id { get; init; }

    /// <summary>When it began, by the clock of the machine.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>The kind of the document, here a comparison.</summary>
    public required ResultKind Kind { get; init; }

    /// <summary>The arguments of the program that made it. No secret is ever one.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>How long it took, in seconds.</summary>
    public required double TookS { get; init; }

    /// <summary>Whether every planned cell was run.</summary>
    public required bool Complete { get; init; }

    /// <summary>The exit code that follows from verdicts and failures.</summary>
    public required int ExitCode { get; init; }
}

/// <summary>The settings of a comparison.</summary>
internal sealed record ComparisonSettings
{
    /// <summary>The strategies with their settings, as they were named.</summary>
    public required IReadOnlyList<string> Strategies { get; init; }

    /// <summary>The planned blocks. In each block every strategy runs once, the reference first and last.</summary>
    public required int Repeats { get; init; }

    /// <summary>Decides the order of the cells of a block, and the resamples of the intervals.</summary>
    public required int Seed { get; init; }

    /// <summary>What is left out of each cell, in seconds.</summary>
    public required double WarmupS { get; init; }

    /// <summary>For how long each cell is measured, in seconds.</summary>
    public required double MeasureS { get; init; }

    /// <summary>The latency profile of the emulator, by its name or file. Null on services.</summary>
    public string? Profile { get; init; }

    /// <summary>The services that it ran on. Null for the emulator of the comparison.</summary>
    public ComparedServices? Services { get; init; }

    /// <summary>The profile or the services, in words.</summary>
    [JsonIgnore]
    public string Place => Services is { } services ? $"event hub {services.EventHub} of {services.EventHubs}" : Profile ?? "unknown profile";

    /// <summary>Faults of the emulator, by their names or files. Null without.</summary>
    public IReadOnlyList<string>? Faults { get; init; }

    /// <summary>Partitions of the event hub.</summary>
    public required int Partitions { get; init; }

    /// <summary>Events in the hub, the same for every cell.</summary>
    public required int Events { get; init; }

    /// <summary>The sizes of the bodies in bytes, one or several with their weights (64:90,4096:10).</summary>
    public required string BodySizes { get; init; }

    /// <summary>Number of partition keys, 0 without.</summary>
    public required int Keys { get; init; }

    /// <summary>Zipf exponent of the keys, 0 where all are equally frequent.</summary>
    public required double KeySkew { get; init; }

    /// <summary>Whether messages were sent to a topic with one subscription. Null where they were sent to a queue.</summary>
    public bool? Topic { get; init; }

    /// <summary>The most events in a batch, unless a strategy was named with another one.</summary>
    public required int Batch { get; init; }

    /// <summary>The degree, unless a strategy was named with another one.</summary>
    public required int Degree { get; init; }

    /// <summary>Events a second that were sent while a cell was run, others from a time on (100/s,500/s@30s). Null where the hub was filled before.</summary>
    public string? Rate { get; init; }

    /// <summary>What ten thousand operations of the checkpoint store cost, in any one currency. Null where no price was given.</summary>
    public double? PricePer10000Operations { get; init; }

    /// <summary>The figure that ratios and words refer to. Where it is a time, a ratio above 1 means a shorter one.</summary>
    public ComparedBy ComparedBy { get; init; }

    /// <summary>Whether events were sent on a schedule while a cell was run.</summary>
    [JsonIgnore]
    public bool IsOpenLoop => Rate is not null;
}

/// <summary>One of the strategies that were compared, over all its cells.</summary>
internal sealed record ComparedStrategy
{
    /// <summary>Its label: the name with the settings of the option.</summary>
    public required string Label { get; init; }

    /// <summary>The strategy.</summary>
    public required string Name { get; init; }

    /// <summary>The strategy in one sentence.</summary>
    public required string Summary { get; init; }

    /// <summary>The order that it promises: partition, key or none.</summary>
    public required string Order { get; init; }

    /// <summary>What makes it unsafe, in one sentence. Null for one that loses nothing.</summary>
    public string? Unsafe { get; init; }

    /// <summary>The most events that a crash may repeat on one partition.</summary>
    public required long RepeatsAtMost { get; init; }

    /// <summary>Cells that count.</summary>
    public required int Cells { get; init; }

    /// <summary>Median of the rates of these cells, of the sustainable ones where these were searched. Null without any.</summary>
    public double? EventsPerS { get; init; }

    /// <summary>In a search for sustainable rates: the median of the smallest rates that it did not keep. Null otherwise.</summary>
    public double? NotKeptPerS { get; init; }

    /// <summary>Its bootstrap 95 % interval. Null below five blocks.</summary>
    public Interval? EventsPerS95 { get; init; }

    /// <summary>Median over the blocks of the ratio to the reference of the block. Null without any.</summary>
    public double? Ratio { get; init; }

    /// <summary>Its bootstrap 95 % interval. Null below five blocks.</summary>
    public Interval? Ratio95 { get; init; }

    /// <summary>Blocks in which it was faster than the reference.</summary>
    public int FasterIn { get; init; }

    /// <summary>Two-sided Mann-Whitney against the reference, after Holm over all strategies. Null below five blocks.</summary>
    public double? PHolm { get; init; }

    /// <summary>What may be concluded about it against the reference.</summary>
    public required string Word { get; init; }

    /// <summary>Median of the model's predictions for its cells, in events a second. Null where the model does not cover it.</summary>
    public double? PredictedEventsPerS { get; init; }

    /// <summary>Median of measured to predicted.</summary>
    public double? MeasuredToPredicted { get; init; }

    /// <summary>
    /// The model's prediction on the requested profile, in events a second. Null where excluded cells withhold no answer, where the model does not apply, and
    /// in results of earlier versions.
    /// </summary>
    public double? ProfilePredictedEventsPerS { get; init; }

    /// <summary>Its figures where all its cells are excluded. Null otherwise, and in results of earlier versions.</summary>
    public ExcludedFigures? Excluded { get; init; }

    /// <summary>Median of an event's time from hand-over until both sinks have it, in milliseconds. Median over the cells.</summary>
    public double? EventP50Ms { get; init; }

    /// <summary>The same at the percentile 99. Where no cell has events enough for one, that of all their events together.</summary>
    public double? EventP99Ms { get; init; }

    /// <summary>
    /// Median of the time from an event's scheduled send time, or else from when it was enqueued, until every sink has it. In milliseconds. Median over the
    /// cells.
    /// </summary>
    public double? EndToEndP50Ms { get; init; }

    /// <summary>The same at the percentile 99.</summary>
    public double? EndToEndP99Ms { get; init; }

    /// <summary>The same at the percentile 99.9.</summary>
    public double? EndToEndP999Ms { get; init; }

    /// <summary>Cells in which events waited ever longer. Null where the hub was filled before.</summary>
    public int? FallsBehindIn { get; init; }

    /// <summary>Processor time of the consumer for an event, in microseconds. Median over the cells.</summary>
    public double? ConsumerCpuUsPerEvent { get; init; }

    /// <summary>The same of the emulator.</summary>
    public double? EmulatorCpuUsPerEvent { get; init; }

    /// <summary>The largest resident memory of its consumers, in bytes.</summary>
    public long? ConsumerPeakRssBytes { get; init; }

    /// <summary>Checkpoints for a thousand events. Median over the cells.</summary>
    public double? CheckpointsPerThousand { get; init; }

    /// <summary>What these cost for a million events, an operation each. Null without a price.</summary>
    public double? CheckpointCostPerMillion { get; init; }

    /// <summary>Uploads of blobs for a thousand events, those that were acknowledged. Median over the cells.</summary>
    public double? UploadsPerThousand { get; init; }

    /// <summary>What checkpoints and uploads cost for a million events, an operation each. Null without a price.</summary>
    public double? StorageCostPerMillion { get; init; }

    /// <summary>Further figures by their names, each the median over the cells. Empty in results of earlier versions.</summary>
    public IReadOnlyDictionary<string, double?> Figures
    {
        get;
        init => field = Given.OrEmpty(value);
    } = new Dictionary<string, double?>(StringComparer.Ordinal);

    /// <summary>Partitions of the hub that its cells read. Null in results of earlier versions.</summary>
    public int? Partitions { get; init; }

    /// <summary>The verdict over all its cells: one that failed makes it failed.</summary>
    public required SafetyVerdict Verdict { get; init; }
}

/// <summary>A range, both ends included.</summary>
internal sealed record Interval
{
    /// <summary>The lower end.</summary>
    public required double Low { get; init; }

    /// <summary>The upper end.</summary>
    public required double High { get; init; }
}

/// <summary>Two of the strategies that were compared.</summary>
internal sealed record ComparedPair
{
    /// <summary>The label of the one with the higher rate.</summary>
    public required string First { get; init; }

    /// <summary>The label of the other one.</summary>
    public required string Second { get; init; }

    /// <summary>Median over the blocks of the first one's rate by the second one's. Null where no block has both.</summary>
    public double? Ratio { get; init; }

    /// <summary>Its bootstrap 95 % interval. Null below five blocks.</summary>
    public Interval? Ratio95 { get; init; }

    /// <summary>Two-sided Mann-Whitney, after Holm over all pairs. Null below five blocks.</summary>
    public double? PHolm { get; init; }

    /// <summary>Blocks in which the first one was faster.</summary>
    public required int FasterIn { get; init; }

    /// <summary>Blocks that have both.</summary>
    public required int Blocks { get; init; }

    /// <summary>What may be concluded: faster, no difference, not decided, indication, not ranked or noisy.</summary>
    public required string Word { get; init; }
}

/// <summary>One run of one strategy in one block.</summary>
internal sealed record ComparedCell
{
    /// <summary>The label of its strategy.</summary>
    public required string Label { get; init; }

    /// <summary>Its block, from 0.</summary>
    public required int Block { get; init; }

    /// <summary>Its place in the block, from 0.</summary>
    public required int OrderInBlock { get; init; }

    /// <summary>Why it is excluded. Null where it counts.</summary>
    public string? Apart { get; init; }

    /// <summary>A note about a cell that counts nevertheless. Null for none.</summary>
    public string? Mark { get; init; }

    /// <summary>By which ratio the emulator's latencies were off what the profile asks for, the worst of them. Null where nothing was kept.</summary>
    public double? ProfileMissedBy { get; init; }

    /// <summary>How its sustainable rate was searched, of which <see cref="Result"/> is the last run at it. Null where it was not.</summary>
    public SearchedRate? Search { get; init; }

    /// <summary>Its whole result. Null where its process left none.</summary>
    public RunResult? Result { get; init; }
}
