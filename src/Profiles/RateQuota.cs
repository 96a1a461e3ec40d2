namespace EventHubThroughput.Profiles;

/// <summary>
/// A rate beyond which operations are refused with the advice to wait. What was saved for as long as the burst may be used at
/// once. 0 is no limit.
/// </summary>
public sealed record RateQuota
{
    public const int Mebibyte = 1_048_576;

    public static RateQuota None { get; } = new();

    public double OperationsPerSecond { get; init; }

    public double EventsPerSecond { get; init; }

    public double BytesPerSecond { get; init; }

    public double BurstSeconds { get; init; } = 1;

    /// <summary>What a refused client is told to wait.</summary>
    public double AdviseSeconds { get; init; } = 2;

    public bool IsNone => OperationsPerSecond <= 0 && EventsPerSecond <= 0 && BytesPerSecond <= 0;
}
