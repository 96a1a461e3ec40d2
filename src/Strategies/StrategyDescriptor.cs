namespace EventHubThroughput.Strategies;

/// <summary>What order of an event's writes a strategy keeps.</summary>
public enum OrderingGuarantee
{
    /// <summary>Writes may finish in any order.</summary>
    None,

    /// <summary>Events of one partition key are written in order, one after another.</summary>
    Key,

    /// <summary>Events of a partition are written in order, one after another.</summary>
    Partition,
}

/// <summary>A strategy's name and how to make one.</summary>
/// <param name="Name">The value of <c>--strategy</c>.</param>
/// <param name="Summary">One sentence for help and documents.</param>
/// <param name="Ordering">The order that it keeps.</param>
/// <param name="Create">Makes an instance for one owned partition.</param>
/// <param name="IsBarrier">
/// Whether <see cref="IProcessingStrategy.ProcessAsync"/> returns only when every event of the batch has been written; false for a
/// strategy that goes on before, which is then held to a window of events.
/// </param>
public sealed record StrategyDescriptor(
    string Name,
    string Summary,
    OrderingGuarantee Ordering,
    Func<StrategyContext, IProcessingStrategy> Create,
    bool IsBarrier = true
);
