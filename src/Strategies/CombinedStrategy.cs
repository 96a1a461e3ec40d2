using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>Events concurrently, up to the degree, and the sinks of each concurrently.</summary>
/// <param name="context">Has the sinks and the degree.</param>
internal sealed class CombinedStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        new(
            Parallel.ForEachAsync(
                batch,
                EventLoop.Options(context, cancellationToken),
                // The caller's token, not the loop's: when an event fails, those in flight are finished and not cancelled in an unknown state.
                (receivedEvent, _) => EventWrites.ConcurrentlyAsync(receivedEvent, context.Sinks, cancellationToken)
            )
        );
}
