using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>One event after another, and the sinks of each one after another: one write at a time.</summary>
/// <param name="context">Has the sinks.</param>
internal sealed class BaselineStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        for (var place = 0; place < batch.Count; place++)
        {
            await EventWrites.InTurnAsync(batch[place], context.Sinks, cancellationToken);
        }
    }
}
