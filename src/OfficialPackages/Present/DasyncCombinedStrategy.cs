using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages;

/// <summary>The article's "in and out": events in parallel up to the degree, and the sinks of each in parallel, both by Dasync.Collections.</summary>
/// <param name="context">The sinks and the degree.</param>
public sealed class DasyncCombinedStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <summary>The descriptor of the strategy.</summary>
    public static StrategyDescriptor Descriptor { get; } =
        new(
            StrategyCatalog.OfOfficialPackages[1],
            "Events concurrently (up to the degree), sinks concurrently, both by Dasync.Collections.",
            OrderingGuarantee.None,
            static context => new DasyncCombinedStrategy(context)
        );

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return new(DasyncLoop.RunAsync(batch, context.MaxConcurrency, receivedEvent => WriteAsync(receivedEvent, cancellationToken), cancellationToken));
    }

    // A degree of 0 would mean the number of processors. A run always has a sink.
    private Task WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
        DasyncLoop.RunAsync(
            context.Sinks,
            Math.Max(1, context.Sinks.Count),
            async sink => await sink.WriteAsync(receivedEvent, cancellationToken),
            cancellationToken
        );
}
