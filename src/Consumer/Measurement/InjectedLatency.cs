namespace EventHubThroughput.Consumer.Measurement;

/// <summary>What an emulator was asked to take for an operation and what it took, in milliseconds, the wait for a turn left out.</summary>
internal sealed record InjectedLatency
{
    private const double RelativeTolerance = 0.02;
    private const double LeastToleranceMs = 0.2;

    // So many standard errors the mean of the draws may be off without anybody's fault.
    private const double LuckOfTheDraw = 4;

    public required string Operation { get; init; }

    public double AskedMeanMs { get; init; }

    public double AskedSdMs { get; init; }

    public long Count { get; init; }

    public double MeanMs { get; init; }

    public double SdMs { get; init; }

    public double P50Ms { get; init; }

    public double P99Ms { get; init; }

    public long Throttles { get; init; }

    /// <summary>
    /// Whether the mean is off by more than 2 % or 0.2 ms, whichever is larger, and by more than so many draws may be: then the
    /// machine was too busy to keep the profile, and the rate is not that of the profile.
    /// </summary>
    public bool IsMissed =>
        Count > 0
        && Math.Abs(MeanMs - AskedMeanMs) > Math.Max(RelativeTolerance * AskedMeanMs, LeastToleranceMs) + (LuckOfTheDraw * AskedSdMs / Math.Sqrt(Count));
}
