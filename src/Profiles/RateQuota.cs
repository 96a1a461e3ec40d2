namespace EventHubThroughput.Profiles;

/// <summary>
/// A rate above which operations are refused with advice to wait. Unused operations accumulate for the time of the burst and can then be used together. 0
/// means no limit.
/// </summary>
public sealed record RateQuota
{
    public const int Mebibyte = 1_048_576;

    public static RateQuota None { get; } = new();

    public double OperationsPerSecond { get; init; }

    public double EventsPerSecond { get; init; }

    public double BytesPerSecond { get; init; }

    public double BurstSeconds { get; init; } = 1;

    /// <summary>The wait that a refusal advises.</summary>
    public double AdviseSeconds { get; init; } = 2;

    public bool IsNone => OperationsPerSecond <= 0 && EventsPerSecond <= 0 && BytesPerSecond <= 0;
}
