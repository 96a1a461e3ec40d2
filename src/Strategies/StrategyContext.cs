namespace EventHubThroughput.Strategies;

/// <summary>What a strategy is made from: one for each ownership of a partition.</summary>
public sealed record StrategyContext
{
    /// <summary>The partition.</summary>
    public string PartitionId { get; init; } = "0";

    /// <summary>The sinks. Every event goes to each of them exactly once.</summary>
    public IReadOnlyList<ITrackedSink> Sinks { get; init; } = [];

    /// <summary>The upper limit of what <see cref="StrategyDescriptor.ConcurrencyBounds"/> says, per partition. 1 to 4,096, 16 unless chosen.</summary>
    public int MaxConcurrency { get; init; } = 16;

    /// <summary>The most events that are dispatched and not complete. Who dispatches sees to it.</summary>
    public int Window { get; init; } = 1024;

    /// <summary>What the strategy's own options are set to.</summary>
    public StrategyOptionValues Options { get; init; } = StrategyOptionValues.None;

    /// <summary>Cancelled when the strategy's work is cut: the partition is lost, or the drain limit is over. What runs in the background heeds it.</summary>
    public CancellationToken Lifetime { get; init; }

    /// <summary>A limit of concurrent work that all partitions of the process share. Adaptive sets it to the degree that it finds.</summary>
    public SharedLimit Limit { get; init; } = new(int.MaxValue);

    /// <summary>For whatever a strategy draws at random: the same seed draws the same.</summary>
    public int Seed { get; init; }

    /// <summary>The clock of strategies that need one.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Told of the degree in force whenever a strategy changes it by itself. A figure, at most <see cref="MaxConcurrency"/>.</summary>
    public Action<int> ReportConcurrency { get; init; } = static _ => { };

    /// <summary>
    /// Told of a failure of background work, which ends processing at once even if no event comes any more. What a sink threw is known
    /// already and may be told again.
    /// </summary>
    public Action<Exception> ReportFailure { get; init; } = static _ => { };
}
