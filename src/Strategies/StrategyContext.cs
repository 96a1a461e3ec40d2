namespace EventHubThroughput.Strategies;

/// <summary>What a strategy is made from.</summary>
public sealed record StrategyContext
{
    /// <summary>The upper limit of events in flight per partition; 1 to 4,096, 16 unless chosen.</summary>
    public int Degree { get; init; } = 16;

    /// <summary>The clock of strategies that need one.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
