using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>Events in turn, but the sinks of each at once.</summary>
/// <param name="context">Gives the sinks.</param>
public sealed class InnerLoopStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <inheritdoc/>
    public async ValueTask DispatchAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        for (var place = 0; place < batch.Events.Count; place++)
        {
            await EventWrites.AtOnceAsync(batch.Events[place], context.Sinks, cancellationToken);
        }
    }
}
