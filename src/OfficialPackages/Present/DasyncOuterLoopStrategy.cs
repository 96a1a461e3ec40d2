using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages;

/// <summary>The article's own loop: events at once, up to the degree, sinks in turn, with ParallelForEachAsync of Dasync.Collections.</summary>
/// <param name="context">Gives the sinks and the degree.</param>
public sealed class DasyncOuterLoopStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <summary>The strategy's place in a catalogue.</summary>
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
