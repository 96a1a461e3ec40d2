using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

// The two ways to write one event, shared by the classic strategies: their difference is one of the two axes of the experiment.
internal static class EventWrites
{
    /// <summary>Each sink after the one before it has acknowledged.</summary>
    public static async ValueTask InTurnAsync(ReceivedEvent receivedEvent, IReadOnlyList<ITrackedSink> sinks, CancellationToken cancellationToken)
    {
        for (var index = 0; index < sinks.Count; index++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await sinks[index].WriteAsync(receivedEvent, cancellationToken);
        }
    }

    /// <summary>All sinks together; ends when the last has ended, whatever became of it.</summary>
    public static async ValueTask AtOnceAsync(ReceivedEvent receivedEvent, IReadOnlyList<ITrackedSink> sinks, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var writes = new Task[sinks.Count];
        for (var index = 0; index < sinks.Count; index++)
        {
            writes[index] = StartAsync(sinks[index], receivedEvent, cancellationToken);
        }

        await Task.WhenAll(writes);
    }

    // A sink that throws before its first await becomes a failed task like any other, so that the writes already started are awaited.
    private static async Task StartAsync(ITrackedSink sink, ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        await sink.WriteAsync(receivedEvent, cancellationToken);
}
