using System.Runtime.ExceptionServices;
using Dasync.Collections;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.OfficialPackages.Strategies;

/// <summary>The article's own loop: events at once, up to the degree, sinks in turn, with ParallelForEachAsync of Dasync.Collections.</summary>
/// <remarks>
/// Its traps do no harm here, because an event is complete when every sink has acknowledged it, whatever the loop says of it: a
/// degree of 0 means processors - 1 (ours is never 0), a body that is cancelled counts as done, and of failures in a race one may be
/// lost. It runs on the thread pool whatever the caller's scheduler.
/// </remarks>
/// <param name="context">Gives the sinks and the degree.</param>
public sealed class DasyncOuterLoopStrategy(StrategyContext context) : IProcessingStrategy
{
    /// <summary>The strategy's place in a catalogue.</summary>
    public static StrategyDescriptor Descriptor { get; } =
        new(
            StrategyCatalog.OfOfficialPackages[0],
            "Events at once (up to the degree), sinks in turn, by Dasync.Collections.",
            OrderingGuarantee.None,
            static context => new DasyncOuterLoopStrategy(context)
        );

    /// <inheritdoc/>
    public async ValueTask DispatchAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        try
        {
            await batch.Events.ParallelForEachAsync(
                receivedEvent => WriteAsync(receivedEvent, cancellationToken),
                context.Degree,
                breakLoopOnException: true,
                cancellationToken
            );
        }
        catch (ParallelForEachException failures)
        {
            // The other loops throw the first failure as it is, and their caller goes by its type.
            ExceptionDispatchInfo.Throw(failures.InnerExceptions[0]);
        }
    }

    private async Task WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        foreach (var sink in context.Sinks)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await sink.WriteAsync(receivedEvent, cancellationToken);
        }
    }
}
