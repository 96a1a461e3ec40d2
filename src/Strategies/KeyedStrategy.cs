using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// The events of one partition key one after another, those of different keys concurrently, up to the degree and across batches. The sinks of each event run
/// concurrently. Events without a key have no order.
/// </summary>
/// <param name="context">Has the sinks, the degree and the lifetime.</param>
/// <remarks>The number of keys is unlimited: state exists only for events that are not complete, so the window limits it.</remarks>
internal sealed class KeyedStrategy(StrategyContext context) : IProcessingStrategy
{
    private readonly LaneWrites<string> writes = new(context);

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        for (var place = 0; place < batch.Count; place++)
        {
            var receivedEvent = batch[place];
            if (receivedEvent.Key is { } key)
            {
                writes.Add(receivedEvent, key, cancellationToken);
            }
            else
            {
                writes.AddFree(receivedEvent, cancellationToken);
            }
        }

        writes.Begin();
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancellationToken) => new(writes.DrainAsync());
}
