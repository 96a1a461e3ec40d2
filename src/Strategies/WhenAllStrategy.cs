using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>All events of a batch at once, both sinks of each at once, with no bound but the batch: unsafe.</summary>
/// <param name="context">Gives the sinks.</param>
internal sealed class WhenAllStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        new(Task.WhenAll(batch.Select(receivedEvent => EventWrites.AtOnceAsync(receivedEvent, context.Sinks, cancellationToken).AsTask())));
}
