using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Load;

/// <summary>
/// The outer loop with a separate <see cref="Task.Run(Func{Task})"/> for each write, although the write is asynchronous. It is a row of the results. The
/// consumer loads it by <c>--strategy-assembly load.dll</c>.
/// </summary>
/// <param name="context">Gives the sinks and the degree.</param>
[SuppressMessage("Maintainability", "CA1515", Justification = "The consumer finds public types alone.")]
public sealed class TaskRunStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <summary>The descriptor that the consumer finds.</summary>
    public static StrategyDescriptor Descriptor { get; } =
        new("outloop-taskrun", "outloop with a Task.Run around every write.", OrderingGuarantee.None, static context => new TaskRunStrategy(context));

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        new(
            Parallel.ForEachAsync(
                batch,
                new ParallelOptions { MaxDegreeOfParallelism = context.MaxConcurrency, CancellationToken = cancellationToken },
                async (receivedEvent, _) =>
                {
                    foreach (var sink in context.Sinks)
                    {
                        await Task.Run(async () => await sink.WriteAsync(receivedEvent, cancellationToken), cancellationToken);
                    }
                }
            )
        );
}
