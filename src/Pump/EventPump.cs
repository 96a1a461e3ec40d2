using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump;

/// <summary>
/// Creates pumps. A pump calls a handler for the events of any client, several concurrently. It stores no checkpoint above an event that is not complete.
/// </summary>
public static class EventPump
{
    /// <summary>Handles the events of a partition one after another.</summary>
    /// <typeparam name="T">The type of the events.</typeparam>
    /// <param name="handler">
    /// Handles an event: returns when that is done, throws when it is not. An event is delivered again after a failure or a crash.
    /// </param>
    /// <param name="options">The options. The defaults when null.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option has an invalid value. The message names the valid values.</exception>
    public static EventPump<T> InOrder<T>(Func<T, CancellationToken, ValueTask> handler, EventPumpOptions? options = null) =>
        Create(OneAtATime, static _ => null, 1, handler, options);

    /// <summary>
    /// Handles up to <paramref name="maxConcurrency"/> events of a partition concurrently, those of one key one after another. Events without a key count as
    /// one key.
    /// </summary>
    /// <param name="key">Gets the key of an event. Null for an event without one.</param>
    /// <param name="maxConcurrency">The most events of a partition in flight, 1 to 4,096.</param>
    /// <param name="handler">As for <see cref="InOrder"/>. Called concurrently.</param>
    /// <param name="options">The options. The defaults when null.</param>
    /// <inheritdoc cref="InOrder"/>
    public static EventPump<T> ByKey<T>(
        Func<T, string?> key,
        int maxConcurrency,
        Func<T, CancellationToken, ValueTask> handler,
        EventPumpOptions? options = null
    )
    {
        ArgumentNullException.ThrowIfNull(key);
        return Create(StrategyCatalog.Find("keyed"), one => key(one) ?? WithoutKey, maxConcurrency, handler, options);
    }

    /// <summary>Handles up to <paramref name="maxConcurrency"/> events of a partition concurrently, in no order.</summary>
    /// <inheritdoc cref="ByKey"/>
    public static EventPump<T> Unordered<T>(int maxConcurrency, Func<T, CancellationToken, ValueTask> handler, EventPumpOptions? options = null) =>
        Create(StrategyCatalog.Find("pipelined"), static _ => null, maxConcurrency, handler, options);

    /// <summary>Handles events in no order. It adjusts the concurrency itself, up to <paramref name="maxConcurrency"/>.</summary>
    /// <inheritdoc cref="ByKey"/>
    public static EventPump<T> Adaptive<T>(int maxConcurrency, Func<T, CancellationToken, ValueTask> handler, EventPumpOptions? options = null) =>
        Create(StrategyCatalog.Find("adaptive"), static _ => null, maxConcurrency, handler, options);

    // The key of an event is very unlikely to be this text. If it is, the event shares the lane.
    private const string WithoutKey = "\0";

    // One writer handles event after event, and the delivering client does not wait for it.
    private static StrategyDescriptor OneAtATime { get; } =
        StrategyCatalog.Find("pipelined") with
        {
            Name = "in-order",
            Ordering = OrderingGuarantee.Partition,
        };

    private static EventPump<T> Create<T>(
        StrategyDescriptor strategy,
        Func<T, string?> key,
        int maxConcurrency,
        Func<T, CancellationToken, ValueTask> handler,
        EventPumpOptions? options
    )
    {
        ArgumentNullException.ThrowIfNull(handler);
        options ??= new EventPumpOptions();
        options = options with
        {
            Window = options.Window ?? Math.Max(EventPumpOptions.LeastUsualWindow, EventPumpOptions.ConcurrenciesOfWindow * maxConcurrency),
        };
        options.ThrowIfInvalid(strategy, maxConcurrency);
        return new EventPump<T>(strategy, key, maxConcurrency, handler, options);
    }
}
