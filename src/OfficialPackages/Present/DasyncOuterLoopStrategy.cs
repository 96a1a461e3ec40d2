using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages;

/// <summary>The article's outer loop: events in parallel up to the degree, sinks in turn, by ParallelForEachAsync of Dasync.Collections.</summary>
/// <param name="context">The sinks and the degree.</param>
public sealed class DasyncOuterLoopStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <summary>The descriptor of the strategy.</summary>
    public static StrategyDescriptor Descriptor { get; } =
        new(
            StrategyCatalog.OfOfficialPackages[0],
            "Events concurrently (up to the degree), sinks in turn, by Dasync.Collections.",
            OrderingGuarantee.None,
            static context => new DasyncOuterLoopStrategy(context)
        );

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return new(DasyncLoop.RunAsync(batch, context.MaxConcurrency, receivedEvent => WriteAsync(receivedEvent, cancellationToken), cancellationToken));
    }

    private async Task WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        foreach (var sink in context.Sinks)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await sink.WriteAsync(receivedEvent, cancellationToken);
        }
    }
}
