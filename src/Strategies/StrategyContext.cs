namespace EventHubThroughput.Strategies;

/// <summary>What a strategy is created from: one for each ownership of a partition.</summary>
public sealed record StrategyContext
{
    /// <summary>The partition.</summary>
    public string PartitionId { get; init; } = "0";

    /// <summary>The sinks. Every event goes to each of them exactly once.</summary>
    public IReadOnlyList<ITrackedSink> Sinks { get; init; } = [];

    /// <summary>The upper limit of what <see cref="StrategyDescriptor.ConcurrencyBounds"/> names, per partition. 1 to 4,096, 16 unless chosen.</summary>
    public int MaxConcurrency { get; init; } = 16;

    /// <summary>The most events that are dispatched and not complete. The dispatching caller enforces it.</summary>
    public int Window { get; init; } = 1024;

    /// <summary>The values of the strategy's options.</summary>
    public StrategyOptionValues Options { get; init; } = StrategyOptionValues.None;

    /// <summary>Cancelled when the strategy's work must end: the partition is lost, or the drain limit has expired. Background work must observe it.</summary>
    public CancellationToken Lifetime { get; init; }

    /// <summary>A limit of concurrent work that all partitions of the process share. The adaptive strategy sets it to the degree that it finds.</summary>
    public SharedLimit Limit { get; init; } = new(int.MaxValue);

    /// <summary>The seed of the strategy's random numbers.</summary>
    public int Seed { get; init; }

    /// <summary>The clock of strategies that need one.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Receives the new degree whenever a strategy changes it. At most <see cref="MaxConcurrency"/>.</summary>
    public Action<int> ReportConcurrency { get; init; } = static _ => { };

    /// <summary>
    /// Receives a failure of background work, which ends processing immediately even if no further event arrives. An exception of a sink is known already and
    /// may be reported again.
    /// </summary>
    public Action<Exception> ReportFailure { get; init; } = static _ => { };
}
