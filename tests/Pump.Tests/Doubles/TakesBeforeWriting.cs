using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>
/// Several workers, each of which takes the next event and writes it a while later. That is how threads run the outer loop, where others may overtake
/// a worker that has taken an event. A worker that is refused ends all, and each still writes its event.
/// </summary>
internal sealed class TakesBeforeWriting(StrategyContext context, Func<Task> hesitate) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        var (next, refused) = (0, false);
        await Task.WhenAll(Enumerable.Range(0, context.MaxConcurrency).Select(_ => WorkAsync()));

        async Task WorkAsync()
        {
            while (!refused && next < batch.Count)
            {
                var taken = batch[next++];
                await hesitate();
                try
                {
                    foreach (var sink in context.Sinks)
                    {
                        await sink.WriteAsync(taken, cancellationToken);
                    }
                }
                catch
                {
                    refused = true;
                    throw;
                }
            }
        }
    }
}
