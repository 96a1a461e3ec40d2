namespace EventHubThroughput.Lab.Measurement;

/// <summary>The latency that an emulator was asked for and the one that it kept, in milliseconds. Without the wait for a turn.</summary>
internal sealed record InjectedLatency
{
    private const double RelativeTolerance = 0.02;
    private const double LeastToleranceMs = 0.2;

    // The number of standard errors by which the mean of the draws may be off by chance.
    private const double LuckOfTheDraw = 4;

    /// <summary>The operation, as profiles name it.</summary>
    public required string Operation { get; init; }

    /// <summary>The mean that the profile asks for.</summary>
    public double AskedMeanMs { get; init; }

    /// <summary>The standard deviation that the profile asks for.</summary>
    public double AskedSdMs { get; init; }

    /// <summary>The part of the asked mean for which operations are served one after another. 0 where none waits for a turn.</summary>
    public double AskedSerialMs { get; init; }

    /// <summary>How often the operation occurred.</summary>
    public long Count { get; init; }

    /// <summary>The mean that was kept.</summary>
    public double MeanMs { get; init; }

    /// <summary>The standard deviation that was kept.</summary>
    public double SdMs { get; init; }

    /// <summary>The median that was kept.</summary>
    public double P50Ms { get; init; }

    /// <summary>The percentile 99 that was kept.</summary>
    public double P99Ms { get; init; }

    /// <summary>How often the operation was refused, to be tried again later.</summary>
    public long Throttles { get; init; }

    /// <summary>The error of the mean as a share of the requested mean. 0 where none was requested.</summary>
    public double MissedBy => Count > 0 && AskedMeanMs > 0 ? Math.Abs(MeanMs - AskedMeanMs) / AskedMeanMs : 0;

    /// <summary>
    /// Whether the mean is off by more than the tolerance: 2 % or 0.2 ms, the larger of both, and what chance explains for that many draws. Then the rate is
    /// not that of the profile. Most often the machine was too busy. The steps of a profile and faults that delay have the same effect.
    /// </summary>
    public bool IsMissed =>
        Count > 0
        && Math.Abs(MeanMs - AskedMeanMs) > Math.Max(RelativeTolerance * AskedMeanMs, LeastToleranceMs) + (LuckOfTheDraw * AskedSdMs / Math.Sqrt(Count));
}
