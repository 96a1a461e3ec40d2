using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Events at once, up to the degree, and the sinks of each at once, over the ends of batches: a dispatch returns when its events are
/// queued, so that a slow event holds back neither the next batch nor the checkpoint of those before it.
/// </summary>
/// <remarks>
/// Writers, at most as many as the degree, take event after event from one queue, which holds no more than the window that whoever
/// dispatches keeps. While events wait, a writer allocates nothing for an event.
/// </remarks>
/// <param name="context">Gives the sinks, the degree, and the lifetime that ends what goes on in the background.</param>
internal sealed class PipelinedStrategy(StrategyContext context) : IProcessingStrategy
{
    // Whoever dispatches adds, the writers take.
    private readonly WaitingEvents waiting = new(context);

    // Under its gate.
    private readonly Stack<Writer> idle = new();

    // Used by the caller of dispatch and drain only: all writers, and those of them that a dispatch starts.
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
    /// What failed was told when it failed. The wait is not cut short: cancellation ends the writes themselves, and an owner that ends
    /// must not leave any behind.
    /// </remarks>
    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancellationToken) => await Task.WhenAll(writers.Select(writer => writer.Work));

    // Event after event until none waits.
    private async Task WriteAsync(Writer writer)
    {
        // Not on the stack of the dispatch: a sink that works before its first await would hold up all others.
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

    // Queues the events, and takes as many writers as are to start for what waits.
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

    // The next event, or null when the writer has ended: nothing waits, something failed, or the partition is lost.
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

    // A sink that throws before its first await fails like any other, so that the writes already started are awaited.
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
        // Of the event that it has in hand, by the sinks' places. Each is awaited once.
        private readonly ValueTask<WriteOutcome>[] writes = new ValueTask<WriteOutcome>[sinks];

        /// <summary>What it does since it was last begun.</summary>
        public Task Work { get; set; } = Task.CompletedTask;

        public void Keep(int sink, ValueTask<WriteOutcome> write) => writes[sink] = write;

        public ValueTask<WriteOutcome> KeptAt(int sink) => writes[sink];
    }
}
