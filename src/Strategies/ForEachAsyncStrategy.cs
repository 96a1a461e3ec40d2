using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Events concurrently, up to the degree, and the sinks of each concurrently, both loops by <see cref="Parallel"/>. It does what
/// <see cref="CombinedStrategy"/> does, but without our own code for starting and awaiting writes.
/// </summary>
/// <param name="context">Has the sinks and the degree.</param>
internal sealed class ForEachAsyncStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        new(
            Parallel.ForEachAsync(
                batch,
                EventLoop.Options(context, cancellationToken),
                (receivedEvent, _) =>
                    new ValueTask(
                        Parallel.ForEachAsync(
                            context.Sinks,
                            EventLoop.Options(Math.Max(1, context.Sinks.Count), cancellationToken),
                            // The caller's token, not the loops': when a write fails, those in flight are finished and not cancelled in an unknown state.
                            async (sink, _) => await sink.WriteAsync(receivedEvent, cancellationToken)
                        )
                    )
            )
        );
}
