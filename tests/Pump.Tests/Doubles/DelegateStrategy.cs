using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>A strategy that one test alone needs.</summary>
internal sealed class DelegateStrategy(
    StrategyContext context,
    Func<IReadOnlyList<EventSlot>, IReadOnlyList<ITrackedSink>, CancellationToken, Task> process,
    Func<CancellationToken, Task>? drain = null
) : IProcessingStrategy
{
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        new(process(batch, context.Sinks, cancellationToken));

    public async ValueTask DrainAsync(CancellationToken cancellationToken) => await (drain?.Invoke(cancellationToken) ?? Task.CompletedTask);
}
