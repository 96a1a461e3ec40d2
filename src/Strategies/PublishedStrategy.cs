using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// The loop of the article of 2019, "inloop and outloop", as it was printed: events at once to a degree that nobody chose, both sinks of each at
/// once. What fails does not stop the others. Unsafe.
/// </summary>
/// <param name="context">Gives the sinks.</param>
internal sealed class PublishedStrategy(StrategyContext context) : IProcessingStrategy
{
    // What its parallel loop takes when it is told none; --degree has no effect, as it had none there.
    private static readonly int HiddenDegree = Math.Max(1, Environment.ProcessorCount - 1);

    /// <inheritdoc/>
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        using var free = new SemaphoreSlim(HiddenDegree);
        var events = new List<Task>(batch.Count);
        foreach (var receivedEvent in batch)
        {
            // Not cancelled: what was begun is awaited below, and the end of a batch is near.
            await free.WaitAsync(CancellationToken.None);
            events.Add(WriteAsync(receivedEvent, free, cancellationToken));
        }

        await Task.WhenAll(events);
    }

    private async Task WriteAsync(EventSlot receivedEvent, SemaphoreSlim free, CancellationToken cancellationToken)
    {
        try
        {
            await EventWrites.AtOnceAsync(receivedEvent, context.Sinks, cancellationToken);
        }
        finally
        {
            free.Release();
        }
    }
}
