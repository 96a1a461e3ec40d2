namespace EventHubThroughput.Comparison;

/// <summary>What the blocks say of one strategy.</summary>
/// <param name="Strategy">The label.</param>
/// <param name="Rate">Events per second of its runs that are ok in the blocks that count; null if there are none.</param>
/// <param name="ToBaseline">The comparison with baseline; null for baseline itself.</param>
/// <param name="Apart">How many of its runs are kept apart, for which reason; of all blocks, discarded ones too.</param>
internal sealed record StrategyConclusion(string Strategy, MedianInterval? Rate, PairConclusion? ToBaseline, IReadOnlyDictionary<CellStatus, int> Apart);
