using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>Events in turn, and the sinks of each in turn: one write at a time.</summary>
public sealed class BaselineStrategy : IProcessingStrategy
{
    /// <inheritdoc/>
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            await EventWrites.InTurnAsync(receivedEvent, sinks, cancellationToken);
        }
    }
}
