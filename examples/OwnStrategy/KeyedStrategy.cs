using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace OwnStrategy;

/// <summary>The events of one key are written in turn, those of different keys concurrently, up to the degree.</summary>
internal sealed class KeyedStrategy(StrategyContext context) : IProcessingStrategy
{
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        var keys = batch.GroupBy(received => received.Key ?? $"#{received.SequenceNumber}");
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.MaxConcurrency,
            TaskScheduler = TaskScheduler.Current,
            CancellationToken = cancellationToken,
        };
        return new ValueTask(Parallel.ForEachAsync(keys, options, (key, failed) => WriteAsync(key, failed, cancellationToken)));
    }

    // After a failed write of any key, no further write begins. Writes in flight are finished.
    private async ValueTask WriteAsync(IEnumerable<EventSlot> events, CancellationToken failed, CancellationToken cancellationToken)
    {
        foreach (var received in events)
        {
            failed.ThrowIfCancellationRequested();
            await Task.WhenAll(context.Sinks.Select(sink => sink.WriteAsync(received, cancellationToken).AsTask()));
        }
    }
}
