using EventHubThroughput.Strategies;

namespace OwnStrategy;

/// <summary>What the consumer program finds here too: <c>consumer --strategy-assembly OwnStrategy.dll --strategy by-key</c>.</summary>
public static class OwnStrategies
{
    public static StrategyDescriptor ByKey { get; } =
        new("by-key", "Keys of a batch at once, the events of each in turn.", OrderingGuarantee.Key, context => new KeyedStrategy(context));
}
