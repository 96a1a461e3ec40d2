namespace EventHubThroughput.Processing;

/// <summary>When the watermark is stored: at each batch end, after a number of events, after a time, or after the first of the two.</summary>
public sealed record CheckpointOptions
{
    /// <summary>The time limit that is added to a count, so that low traffic is checkpointed too.</summary>
    public static readonly TimeSpan IntervalBesideCount = TimeSpan.FromSeconds(5);

    /// <summary>The count of events that is added to a time, where one is needed.</summary>
    public const int UsualEvents = 1000;

    /// <summary>Store after the watermark has passed this many events. Null for no count.</summary>
    public int? Events { get; init; }

    /// <summary>Store when the oldest passed event without a checkpoint is older than this. Null for no time.</summary>
    public TimeSpan? Interval { get; init; }

    /// <summary>With neither count nor time: store at the end of every n-th batch. The rule of an unsafe strategy. Default 1.</summary>
    internal int Batches { get; init; } = 1;

    /// <summary>Neither count nor time: store at the end of each batch.</summary>
    public bool EachBatch => Events is null && Interval is null;

    /// <summary>The effective options for a strategy: one without a barrier has no batch ends to store at, so the usual count replaces them.</summary>
    /// <param name="barrier">Whether each batch is complete at its end.</param>
    public CheckpointOptions For(bool barrier) => EachBatch && !barrier ? From(UsualEvents, null) : this;

    /// <summary>Creates options from the two values: with neither, store at each batch. A count gets a time limit as well.</summary>
    /// <param name="events">The count, or null.</param>
    /// <param name="interval">The time, or null.</param>
    public static CheckpointOptions From(int? events, TimeSpan? interval) =>
        new() { Events = events, Interval = interval ?? (events is null ? null : IntervalBesideCount) };

    /// <summary>The number of passed events at which the watermark is due by count.</summary>
    /// <param name="confirmed">The events that the last confirmed checkpoint covers.</param>
    internal long DueAt(long confirmed) => Events is { } events ? confirmed + events : long.MaxValue;

    /// <summary>How long to wait before the watermark must be stored: zero when it is due, null when it never becomes due.</summary>
    /// <param name="unconfirmed">Events that the watermark has passed since the last confirmed checkpoint.</param>
    /// <param name="age">The time since the first of them was passed.</param>
    internal TimeSpan? DueIn(long unconfirmed, TimeSpan age)
    {
        if (unconfirmed <= 0)
        {
            return null;
        }

        if (unconfirmed >= Events)
        {
            return TimeSpan.Zero;
        }

        var left = Interval - age;
        return left < TimeSpan.Zero ? TimeSpan.Zero : left;
    }
}
