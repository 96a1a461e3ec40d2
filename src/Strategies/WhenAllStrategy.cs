using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>All events of a batch concurrently, both sinks of each concurrently. Only the size of the batch limits them: unsafe.</summary>
/// <param name="context">Has the sinks.</param>
internal sealed class WhenAllStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        new(Task.WhenAll(batch.Select(receivedEvent => EventWrites.ConcurrentlyAsync(receivedEvent, context.Sinks, cancellationToken).AsTask())));
}
