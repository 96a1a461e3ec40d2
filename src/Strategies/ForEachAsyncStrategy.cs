using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Events at once, up to the degree, and the sinks of each at once, both loops by <see cref="Parallel"/>: what <see cref="CombinedStrategy"/>
/// does, without a line of our own about how writes are started and awaited.
/// </summary>
/// <param name="context">Gives the sinks and the degree.</param>
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
                            // The caller's token, not the loops': when a write fails, those in flight are finished, not cut in an unknown state.
                            async (sink, _) => await sink.WriteAsync(receivedEvent, cancellationToken)
                        )
                    )
            )
        );
}
