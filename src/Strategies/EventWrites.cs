using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;

namespace EventHubThroughput.Strategies;

// The two ways to write one event, shared by the classic strategies: their difference is one of the two dimensions of the experiment.
internal static class EventWrites
{
    /// <summary>Each sink after the one before it has acknowledged.</summary>
    public static async ValueTask InTurnAsync(EventSlot receivedEvent, IReadOnlyList<ITrackedSink> sinks, CancellationToken cancellationToken)
    {
        for (var index = 0; index < sinks.Count; index++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await sinks[index].WriteAsync(receivedEvent, cancellationToken);
        }
    }

    /// <summary>All sinks concurrently. Ends when the last has ended, with success or failure.</summary>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    public static async ValueTask ConcurrentlyAsync(EventSlot receivedEvent, IReadOnlyList<ITrackedSink> sinks, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (sinks.Count == 1)
        {
            await sinks[0].WriteAsync(receivedEvent, cancellationToken);
            return;
        }

        var writes = new ValueTask<WriteOutcome>[sinks.Count];
        for (var index = 0; index < writes.Length; index++)
        {
#pragma warning disable CA2012 // Each is awaited once, below.
            writes[index] = Start(sinks[index], receivedEvent, cancellationToken);
#pragma warning restore CA2012
        }

        // One after another and not by a task of all of them: each is under way already, and most events need no task at all.
        Exception? failure = null;
        for (var index = 0; index < writes.Length; index++)
        {
            try
            {
                await writes[index];
            }
            catch (Exception thrown)
            {
                // The first exception, but a failure takes precedence over a cancellation.
                failure = failure is null || (failure is OperationCanceledException && thrown is not OperationCanceledException) ? thrown : failure;
            }
        }

        if (failure is not null)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    // A sink that throws before its first await fails like any other, so that the started writes are awaited.
    private static ValueTask<WriteOutcome> Start(ITrackedSink sink, EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        try
        {
            return sink.WriteAsync(receivedEvent, cancellationToken);
        }
        catch (Exception thrown)
        {
            return ValueTask.FromException<WriteOutcome>(thrown);
        }
    }
}
