namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>How long one operation takes, in milliseconds: a serial part, one operation after another, then an independent draw.</summary>
internal sealed record LatencyLaw
{
    public static LatencyLaw Zero { get; } = new();

    /// <summary>The part that operations on one link or endpoint pay in turn.</summary>
    public double SerialMilliseconds { get; init; }

    /// <summary>Mean of the part that overlaps.</summary>
    public double MeanMilliseconds { get; init; }

    /// <summary>Standard deviation of a lognormal draw; 0 makes it constant.</summary>
    public double DeviationMilliseconds { get; init; }

    public double TotalMeanMilliseconds => SerialMilliseconds + MeanMilliseconds;

    public bool IsZero => SerialMilliseconds <= 0 && MeanMilliseconds <= 0;
}
