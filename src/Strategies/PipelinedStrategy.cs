using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Events concurrently, up to the degree, and the sinks of each concurrently, across the ends of batches. A dispatch returns when its events are queued. So a
/// slow event delays neither the next batch nor the checkpoint of earlier events.
/// </summary>
/// <remarks>
/// Writers, at most the degree, take one event after another from one queue. The dispatching caller keeps the queue within the window. While events wait, a
/// writer allocates nothing for an event.
/// </remarks>
/// <param name="context">Has the sinks, the degree, and the lifetime that ends background work.</param>
internal sealed class PipelinedStrategy(StrategyContext context) : IProcessingStrategy
{
    // The dispatching caller adds, the writers take.
    private readonly WaitingEvents waiting = new(context);

    // Under its gate.
    private readonly Stack<Writer> idle = new();

    // Used only by the caller of dispatch and drain: all writers, and those that a dispatch starts.
    private readonly List<Writer> writers = [];
    private readonly List<Writer> starting = [];

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Add(batch);
        foreach (var writer in starting)
        {
            writer.Work = WriteAsync(writer);
        }

        starting.Clear();
        return ValueTask.CompletedTask;
    }

    /// <remarks>
    /// Failures were reported when they occurred. This wait cannot be cancelled: cancellation ends the writes themselves, and none may be left when an owner
    /// ends.
    /// </remarks>
    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancellationToken) => await Task.WhenAll(writers.Select(writer => writer.Work));

    // One event after another until none waits.
    private async Task WriteAsync(Writer writer)
    {
        // Not on the stack of the dispatch: a sink that works before its first await would delay all others.
        await Task.Yield();
        while (Take(writer) is { } receivedEvent)
        {
            for (var sink = 0; sink < context.Sinks.Count; sink++)
            {
                writer.Keep(sink, Start(context.Sinks[sink], receivedEvent));
            }

            for (var sink = 0; sink < context.Sinks.Count; sink++)
            {
                try
                {
                    await writer.KeptAt(sink);
                }
                catch (Exception failure)
                {
                    waiting.End(failure);
                }
            }
        }
    }

    // Queues the events, and selects the writers to start for them.
    private void Add(IReadOnlyList<EventSlot> batch)
    {
        lock (waiting.Gate)
        {
            waiting.Add(batch);
            for (var missing = Math.Min(waiting.Count(), context.MaxConcurrency - (writers.Count - idle.Count)); missing > 0; missing--)
            {
                if (!idle.TryPop(out var writer))
                {
                    writer = new Writer(context.Sinks.Count);
                    writers.Add(writer);
                }

                starting.Add(writer);
            }
        }
    }

    // The next event, or null when the writer has ended: the queue is empty, a write failed, or the partition is lost.
    private EventSlot? Take(Writer writer)
    {
        lock (waiting.Gate)
        {
            if (waiting.Take() is { } next)
            {
                return next;
            }

            idle.Push(writer);
            return null;
        }
    }

    // A sink that throws before its first await fails like any other, so that the started writes are awaited.
    private ValueTask<WriteOutcome> Start(ITrackedSink sink, EventSlot receivedEvent)
    {
        try
        {
            return sink.WriteAsync(receivedEvent, context.Lifetime);
        }
        catch (Exception failure)
        {
            return ValueTask.FromException<WriteOutcome>(failure);
        }
    }

    private sealed class Writer(int sinks)
    {
        // The writes of its present event, by the sinks' places. Each is awaited once.
        private readonly ValueTask<WriteOutcome>[] writes = new ValueTask<WriteOutcome>[sinks];

        /// <summary>The task since it was last started.</summary>
        public Task Work { get; set; } = Task.CompletedTask;

        public void Keep(int sink, ValueTask<WriteOutcome> write) => writes[sink] = write;

        public ValueTask<WriteOutcome> KeptAt(int sink) => writes[sink];
    }
}
