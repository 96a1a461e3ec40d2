using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// The events of one partition key one after another, those of different keys at once, up to the degree and across batches. The sinks of each at
/// once. Events without a key follow no order.
/// </summary>
/// <param name="context">Gives the sinks, the degree and the lifetime.</param>
/// <remarks>There may be any number of keys: what is kept belongs to events that are not complete, so that the window bounds it.</remarks>
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
