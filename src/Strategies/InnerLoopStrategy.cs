using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>Events in turn, but the sinks of each at once.</summary>
public sealed class InnerLoopStrategy : IProcessingStrategy
{
    /// <inheritdoc/>
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            await EventWrites.AtOnceAsync(receivedEvent, sinks, cancellationToken);
        }
    }
}
