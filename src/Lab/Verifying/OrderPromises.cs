using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>
/// Translates the guarantee of a strategy into a promise of the verdict. Strategies do not depend on the verdict, and the verdict does not depend on
/// strategies.
/// </summary>
internal static class OrderPromises
{
    /// <summary>The promises by their names.</summary>
    public static IReadOnlyList<(string Name, OrderPromise Value)> All { get; } =
    [("none", OrderPromise.None), ("key", OrderPromise.Key), ("partition", OrderPromise.Partition)];

    /// <summary>The promise that a strategy makes.</summary>
    public static OrderPromise GetPromise(StrategyDescriptor strategy) =>
        strategy.Ordering switch
        {
            OrderingGuarantee.Partition => OrderPromise.Partition,
            OrderingGuarantee.Key => OrderPromise.Key,
            _ => OrderPromise.None,
        };

    /// <summary>The name in the option.</summary>
    public static string GetName(OrderPromise promise) => All.First(known => known.Value == promise).Name;
}
