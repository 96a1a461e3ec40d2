using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// A function with an Event Hubs trigger whose body is the loop of its template: events in turn, sinks in turn. Failures are collected and thrown at the end.
/// One batch of a partition at a time. Its checkpoint follows even after failures. Unsafe.
/// </summary>
/// <param name="context">Has the sinks.</param>
internal sealed class FunctionsStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        var exceptions = new List<Exception>();
        foreach (var receivedEvent in batch)
        {
            try
            {
                await EventWrites.InTurnAsync(receivedEvent, context.Sinks, cancellationToken);
            }
            catch (Exception exception)
            {
                // The rest of the batch is still processed.
                exceptions.Add(exception);
            }
        }

        if (exceptions.Count > 0)
        {
            throw new AggregateException(exceptions);
        }
    }
}
