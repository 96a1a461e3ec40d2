using EventHubThroughput.Profiles;

namespace EventHubThroughput.Model;

/// <summary>The run that a prediction is for: everything that determines its rate, and nothing else. The defaults are those of the program.</summary>
internal sealed record ModelSettings
{
    /// <summary>Enough that rates vary little with the seed, and few enough that a table of all strategies takes less than a second.</summary>
    public const int UsualEvents = 50_000;

    /// <summary>The value of <c>--strategy</c>.</summary>
    public required string Strategy { get; init; }

    /// <summary>The latencies of the services.</summary>
    public required LatencyProfile Profile { get; init; }

    /// <summary>The writes of each event, in place of the profile's message and blob. Empty for these two.</summary>
    public IReadOnlyList<DescribedWrite> Writes { get; init; } = [];

    /// <summary>The values of the strategy's options, by name. Missing ones have their defaults.</summary>
    public IReadOnlyDictionary<string, int> Options { get; init; } = new Dictionary<string, int>(StringComparer.Ordinal);

    /// <summary>The most events in flight on a partition.</summary>
    public int Degree { get; init; } = 16;

    /// <summary>The most events in a batch.</summary>
    public int Batch { get; init; } = 10;

    /// <summary>Events requested ahead. 0 asks batch by batch.</summary>
    public int Prefetch { get; init; } = 300;

    /// <summary>The given window. Null derives it from strategy, degree and batch.</summary>
    public int? Window { get; init; }

    /// <summary>The given replay limit. Null derives it from window and checkpoints.</summary>
    public int? ReplayLimit { get; init; }

    /// <summary>The requested checkpoints.</summary>
    public CheckpointRule Checkpoints { get; init; } = CheckpointRule.AtBatchEnds;

    /// <summary>Partitions, each with a backlog.</summary>
    public int Partitions { get; init; } = 1;

    /// <summary>Partition keys of the events. 0 for events without one.</summary>
    public int Keys { get; init; }

    /// <summary>Zipf exponent of the keys. 0: all equally frequent.</summary>
    public double KeySkew { get; init; }

    /// <summary>Mean bytes of an event, if a law or quota counts them.</summary>
    public double EventBytes { get; init; } = 1024;

    /// <summary>The computation of a handler for each event before its writes, in microseconds of a processor.</summary>
    public double WorkMicroseconds { get; init; }

    /// <summary>For how long a handler also blocks its thread, in milliseconds.</summary>
    public double BlockMilliseconds { get; init; }

    /// <summary>Processors that are available only to the handlers' work.</summary>
    public int Processors { get; init; } = 2;

    /// <summary>The fewest events that are simulated. More if they would be few batches.</summary>
    public int Events { get; init; } = UsualEvents;

    /// <summary>The seed of all draws.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Whether a handler does more than write.</summary>
    public bool HasWork => WorkMicroseconds > 0 || BlockMilliseconds > 0;
}

/// <summary>
/// When the low watermark is stored: after a count of events, after a time, or after the first of the two. With neither, at the end of each batch.
/// </summary>
/// <param name="Events">The number of events, or null.</param>
/// <param name="Milliseconds">The time, or null.</param>
internal sealed record CheckpointRule(int? Events, double? Milliseconds)
{
    // The defaults of the program (docs/method.md): a count if a strategy has no batch ends, a time in addition to every count.
    private const int UsualEvents = 1_000;
    private const double UsualMilliseconds = 5_000;

    /// <summary>Neither count nor time.</summary>
    public static CheckpointRule AtBatchEnds { get; } = new(null, null);

    /// <summary>Whether checkpoints are tied to batch ends.</summary>
    public bool IsAtBatchEnds => Events is null && Milliseconds is null;

    /// <summary>Events between two checkpoints by count, if one is needed to limit what runs ahead.</summary>
    public int EventsOrUsual => Events ?? UsualEvents;

    /// <summary>The effective rule: without a barrier there are no batch ends.</summary>
    /// <param name="barrier">Whether each batch is complete before the next one is handed over.</param>
    public CheckpointRule For(bool barrier) => IsAtBatchEnds && !barrier ? new CheckpointRule(UsualEvents, UsualMilliseconds) : this;
}
