using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// The loop of the article of 2019, "inloop and outloop", as it was printed: events concurrently up to an accidental degree, both sinks of each concurrently.
/// A failure does not stop the others. Unsafe.
/// </summary>
/// <param name="context">Has the sinks.</param>
internal sealed class PublishedStrategy(StrategyContext context) : IProcessingStrategy
{
    // The default of its parallel loop. The option --degree has no effect, as in the article.
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
            await EventWrites.ConcurrentlyAsync(receivedEvent, context.Sinks, cancellationToken);
        }
        finally
        {
            free.Release();
        }
    }
}
