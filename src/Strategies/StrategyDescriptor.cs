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

/// <summary>What the degree of a strategy is the upper limit of, per partition.</summary>
public enum ConcurrencyBound
{
    /// <summary>Events in flight: begun at a sink and not written to all of them.</summary>
    Events,

    /// <summary>Operations under way at each sink, of one event or of several. The window is the upper limit of the events in flight.</summary>
    Operations,
}

/// <summary>A strategy's name and how to make one.</summary>
/// <param name="Name">The value of <c>--strategy</c>.</param>
/// <param name="Summary">One sentence for help and documents.</param>
/// <param name="Ordering">The order that it keeps.</param>
/// <param name="Create">Makes an instance for one owned partition.</param>
/// <param name="IsBarrier">
/// Whether <see cref="IProcessingStrategy.DispatchAsync"/> returns only when every event of the batch has been written. False for a
/// strategy that goes on before, which is then held to a window of events.
/// </param>
public sealed record StrategyDescriptor(
    string Name,
    string Summary,
    OrderingGuarantee Ordering,
    Func<StrategyContext, IProcessingStrategy> Create,
    bool IsBarrier = true
)
{
    /// <summary>The options that this strategy alone has.</summary>
    public IReadOnlyList<StrategyOption> Options { get; init; } = [];

    /// <summary>What it keeps within <see cref="StrategyContext.MaxConcurrency"/>.</summary>
    public ConcurrencyBound ConcurrencyBounds { get; init; }

    /// <summary>What makes it lose events, and what it is allowed for that. Null for a strategy that loses none.</summary>
    internal UnsafePractice? Unsafe { get; init; }

    /// <summary>Whether it loses events when a write fails: it is run only by those who ask for that.</summary>
    internal bool IsUnsafe => Unsafe is not null;

    /// <summary>The name as results and tables print it: an unsafe strategy is marked.</summary>
    internal string Label => IsUnsafe ? $"{Name} (unsafe)" : Name;

    /// <summary>Whether the events of a partition are written one after another, so that no degree has an effect.</summary>
    public bool TakesEventsInTurn => Ordering == OrderingGuarantee.Partition;

    /// <summary>The upper limit of what <see cref="ConcurrencyBounds"/> says: what was chosen, or 1 where events are taken in turn.</summary>
    /// <param name="chosen">The degree that was chosen.</param>
    public int MaxConcurrencyInForce(int chosen) => TakesEventsInTurn ? 1 : chosen;
}
