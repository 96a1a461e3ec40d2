using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>Events in turn, but the sinks of each concurrently.</summary>
/// <param name="context">Has the sinks.</param>
internal sealed class InnerLoopStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        for (var place = 0; place < batch.Count; place++)
        {
            await EventWrites.ConcurrentlyAsync(batch[place], context.Sinks, cancellationToken);
        }
    }
}
