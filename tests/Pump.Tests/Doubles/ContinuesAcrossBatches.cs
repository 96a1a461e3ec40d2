using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>
/// A pipelined strategy: begins a batch while earlier ones are not complete. It never has more events in flight than the degree, and counts the
/// remaining ones when it is drained.
/// </summary>
internal sealed class ContinuesAcrossBatches(StrategyContext context) : IProcessingStrategy
{
    private readonly List<Task> running = [];

    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            while (running.Count(task => !task.IsCompleted) >= context.MaxConcurrency)
            {
                await Task.WhenAny(running.Where(task => !task.IsCompleted));
            }

            running.Add(WriteAsync(receivedEvent, context.Sinks, cancellationToken));
        }
    }

    public async ValueTask DrainAsync(CancellationToken cancellationToken) => await Task.WhenAll(running);

    private static async Task WriteAsync(EventSlot receivedEvent, IReadOnlyList<ITrackedSink> sinks, CancellationToken cancellationToken)
    {
        foreach (var sink in sinks)
        {
            await sink.WriteAsync(receivedEvent, cancellationToken);
        }
    }
}
