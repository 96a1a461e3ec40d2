namespace EventHubThroughput.Strategies;

/// <summary>The order that a strategy keeps for writes.</summary>
public enum OrderingGuarantee
{
    /// <summary>Writes may finish in any order.</summary>
    None,

    /// <summary>Events of one partition key are written in order, one after another.</summary>
    Key,

    /// <summary>Events of a partition are written in order, one after another.</summary>
    Partition,
}

/// <summary>What the degree of a strategy limits, per partition.</summary>
public enum ConcurrencyBound
{
    /// <summary>Events in flight: begun at a sink and not written to all of them.</summary>
    Events,

    /// <summary>Operations under way at each sink, of one event or of several. The window limits the events in flight.</summary>
    Operations,
}

/// <summary>A strategy's name and factory.</summary>
/// <param name="Name">The value of <c>--strategy</c>.</param>
/// <param name="Summary">One sentence for help and documents.</param>
/// <param name="Ordering">The order that it keeps.</param>
/// <param name="Create">Creates an instance for one owned partition.</param>
/// <param name="IsBarrier">
/// Whether <see cref="IProcessingStrategy.DispatchAsync"/> returns only when every event of the batch has been written. False for a strategy that returns
/// earlier, for which the window limits the events.
/// </param>
public sealed record StrategyDescriptor(
    string Name,
    string Summary,
    OrderingGuarantee Ordering,
    Func<StrategyContext, IProcessingStrategy> Create,
    bool IsBarrier = true
)
{
    /// <summary>The options of this strategy.</summary>
    public IReadOnlyList<StrategyOption> Options { get; init; } = [];

    /// <summary>What stays within <see cref="StrategyContext.MaxConcurrency"/>.</summary>
    public ConcurrencyBound ConcurrencyBounds { get; init; }

    /// <summary>Why it loses events, and its special options. Null for a strategy that loses none.</summary>
    internal UnsafePractice? Unsafe { get; init; }

    /// <summary>Whether it loses events when a write fails: it runs only when it is explicitly allowed.</summary>
    internal bool IsUnsafe => Unsafe is not null;

    /// <summary>The name as results and tables print it: an unsafe strategy is marked.</summary>
    internal string Label => IsUnsafe ? $"{Name} (unsafe)" : Name;

    /// <summary>Whether the events of a partition are written one after another, so that the degree has no effect.</summary>
    public bool TakesEventsInTurn => Ordering == OrderingGuarantee.Partition;

    /// <summary>The effective limit of what <see cref="ConcurrencyBounds"/> names: the chosen degree, or 1 where events are written in turn.</summary>
    /// <param name="chosen">The chosen degree.</param>
    public int MaxConcurrencyInForce(int chosen) => TakesEventsInTurn ? 1 : chosen;
}
