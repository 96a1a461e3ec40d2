namespace EventHubThroughput.Processing;

/// <summary>When the watermark is stored: at each batch end, or after a number of events, or after a time, or whichever of the two comes first.</summary>
public sealed record CheckpointOptions
{
    /// <summary>Low traffic must still be checkpointed: the time limit that goes with a count alone.</summary>
    public static readonly TimeSpan IntervalBesideCount = TimeSpan.FromSeconds(5);

    /// <summary>The count of events that goes with a time alone, where one is needed.</summary>
    public const int UsualEvents = 1000;

    /// <summary>Store after this many events passed by the watermark. Null for no count.</summary>
    public int? Events { get; init; }

    /// <summary>Store when the oldest event passed and not stored is older than this. Null for no time.</summary>
    public TimeSpan? Interval { get; init; }

    /// <summary>With neither count nor time: store at the end of every so many-th batch. The rule of an unsafe strategy. Default 1.</summary>
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

    /// <summary>How many passed events make the watermark due by their count.</summary>
    /// <param name="confirmed">The events that the last confirmed checkpoint covers.</param>
    internal long DueAt(long confirmed) => Events is { } events ? confirmed + events : long.MaxValue;

    /// <summary>How long to wait before the watermark must be stored: zero when it is due, null when nothing will make it due.</summary>
    /// <param name="unconfirmed">Events that the watermark has passed since the last confirmed checkpoint.</param>
    /// <param name="age">How long ago the first of them was passed.</param>
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
