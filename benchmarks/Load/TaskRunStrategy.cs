using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Load;

/// <summary>
/// The outer loop as many write it: each write by a <see cref="Task.Run(Func{Task})"/> of its own, though it is asynchronous already. A row of
/// the results, offered to the consumer by <c>--strategy-assembly load.dll</c>.
/// </summary>
/// <param name="context">Gives the sinks and the degree.</param>
[SuppressMessage("Maintainability", "CA1515", Justification = "The consumer finds public types alone.")]
public sealed class TaskRunStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <summary>What the consumer finds.</summary>
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
