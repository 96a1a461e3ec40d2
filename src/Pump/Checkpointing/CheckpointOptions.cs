namespace EventHubThroughput.Processing;

/// <summary>When the watermark is stored: at each batch end, or after a number of events, or after a time, or whichever of the two comes first.</summary>
public sealed record CheckpointOptions
{
    /// <summary>Low traffic must still be checkpointed: the time limit that goes with a count alone.</summary>
    public static readonly TimeSpan IntervalBesideCount = TimeSpan.FromSeconds(5);

    /// <summary>The count of events that goes with a time alone, where one is needed.</summary>
    public const int UsualEvents = 1000;

    /// <summary>Store after this many events passed by the watermark; null for no count.</summary>
    public int? Events { get; init; }

    /// <summary>Store when the oldest event passed and not stored is older than this; null for no time.</summary>
    public TimeSpan? Interval { get; init; }

    /// <summary>With neither count nor time: store at the end of every so many-th batch; the rule of an unsafe strategy. Default 1.</summary>
    internal int Batches { get; init; } = 1;

    /// <summary>Neither count nor time: store at the end of each batch.</summary>
    public bool EachBatch => Events is null && Interval is null;

    /// <summary>What is in force for a strategy: one without a barrier has no batch ends to store at, so the usual count takes their place.</summary>
    /// <param name="barrier">Whether each batch is complete at its end.</param>
    public CheckpointOptions For(bool barrier) => EachBatch && !barrier ? From(UsualEvents, null) : this;

    /// <summary>Reads the two options: none given is each batch, a count alone gets a time limit beside it.</summary>
    /// <param name="events">The count, or null.</param>
    /// <param name="interval">The time, or null.</param>
    public static CheckpointOptions From(int? events, TimeSpan? interval) =>
        new() { Events = events, Interval = interval ?? (events is null ? null : IntervalBesideCount) };
}
