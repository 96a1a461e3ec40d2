namespace EventHubThroughput.Profiles;

/// <summary>How the part of a latency that overlaps is spread.</summary>
public enum DrawShape
{
    Lognormal,
    Gamma,
}

/// <summary>
/// How long one operation takes, in milliseconds: a serial part, one operation after another, then an independent draw. The
/// limits (rates, concurrency) hold for the whole emulator, as a namespace's do, the serial part for each link.
/// </summary>
public sealed record LatencyLaw
{
    public static LatencyLaw Zero { get; } = new();

    /// <summary>The part that operations on one link or endpoint pay in turn.</summary>
    public double SerialMilliseconds { get; init; }

    /// <summary>Mean of the part that overlaps.</summary>
    public double MeanMilliseconds { get; init; }

    /// <summary>Its standard deviation. 0 makes it constant.</summary>
    public double DeviationMilliseconds { get; init; }

    public DrawShape Shape { get; init; }

    /// <summary>Every n-th operation takes <see cref="StragglerMilliseconds"/> longer. 0 for none.</summary>
    public int StragglerEvery { get; init; }

    public double StragglerMilliseconds { get; init; }

    /// <summary>Operations that are served at once. More wait in the order of their arrival. 0 for any number.</summary>
    public int Concurrency { get; init; }

    /// <summary>Operations, events or bytes a second that are served one after another, whoever sent them. 0 for any rate.</summary>
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
