namespace EventHubThroughput.Profiles;

/// <summary>The distribution of the overlapping part of a latency.</summary>
public enum DrawShape
{
    Lognormal,
    Gamma,
}

/// <summary>
/// The duration of one operation in milliseconds: a serial part, one operation after another, then an independent draw. The limits (rates, concurrency)
/// apply to the whole emulator, as those of a namespace do. The serial part applies to each link.
/// </summary>
public sealed record LatencyLaw
{
    public static LatencyLaw Zero { get; } = new();

    /// <summary>The part that operations on one link or endpoint pay one after another.</summary>
    public double SerialMilliseconds { get; init; }

    /// <summary>The mean of the overlapping part.</summary>
    public double MeanMilliseconds { get; init; }

    /// <summary>The standard deviation of the overlapping part. 0 makes it constant.</summary>
    public double DeviationMilliseconds { get; init; }

    public DrawShape Shape { get; init; }

    /// <summary>Every n-th operation takes <see cref="StragglerMilliseconds"/> longer. 0 for none.</summary>
    public int StragglerEvery { get; init; }

    public double StragglerMilliseconds { get; init; }

    /// <summary>The number of operations that are served concurrently. Others wait in the order of their arrival. 0 for no limit.</summary>
    public int Concurrency { get; init; }

    /// <summary>Operations, events or bytes a second that are served one after another, from all senders together. 0 for no limit.</summary>
    public double OperationsPerSecond { get; init; }

    public double EventsPerSecond { get; init; }

    public double BytesPerSecond { get; init; }

    public bool IsPaced => OperationsPerSecond > 0 || EventsPerSecond > 0 || BytesPerSecond > 0;

    /// <summary>The service time that is asked for, pacing by size left out.</summary>
    public double TotalMeanMilliseconds =>
        SerialMilliseconds
        + MeanMilliseconds
        + (StragglerEvery > 0 ? StragglerMilliseconds / StragglerEvery : 0)
        + (OperationsPerSecond > 0 ? 1_000 / OperationsPerSecond : 0);

    public bool IsZero => SerialMilliseconds <= 0 && MeanMilliseconds <= 0 && StragglerEvery == 0 && !IsPaced;

    public double Draw(Random random) =>
        DeviationMilliseconds <= 0 || MeanMilliseconds <= 0 ? MeanMilliseconds
        : Shape == DrawShape.Gamma ? GammaDraw.Next(random, MeanMilliseconds, DeviationMilliseconds)
        : LognormalDraw.Next(random, MeanMilliseconds, DeviationMilliseconds);

    /// <summary>A draw by its coefficient of variation.</summary>
    public static LatencyLaw Spread(DrawShape shape, double mean, double variation) =>
        new()
        {
            Shape = shape,
            MeanMilliseconds = mean,
            DeviationMilliseconds = mean * variation,
        };
}
