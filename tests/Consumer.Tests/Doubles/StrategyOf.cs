using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Tests.Doubles;

/// <summary>A strategy that one test alone needs.</summary>
internal sealed class StrategyOf(Func<EventBatch, IReadOnlyList<ISink>, CancellationToken, Task> process, Func<CancellationToken, Task>? drain = null)
    : IProcessingStrategy
{
    public Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken) => process(batch, sinks, cancellationToken);

    public async ValueTask DrainAsync(CancellationToken cancellationToken) => await (drain?.Invoke(cancellationToken) ?? Task.CompletedTask);
}
