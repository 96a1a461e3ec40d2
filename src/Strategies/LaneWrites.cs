using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Writes events in lanes, the sinks of each event concurrently. In one lane an event begins when the one before it is complete, retries included. Events of
/// different lanes run concurrently, up to the degree. An event that waits for its lane occupies no place. Of the events that may begin, the oldest is first.
/// So no lane starves, and the low watermark moves as soon as it can.
/// </summary>
/// <typeparam name="TLane">The key of a lane.</typeparam>
internal sealed class LaneWrites<TLane>(StrategyContext context)
    where TLane : notnull
{
    private readonly Lock gate = new();

    // Under the gate. The newest event of each lane, to which the next is linked. A lane without events needs no memory.
    private readonly Dictionary<TLane, LaneEvent> newest = [];
    private readonly PriorityQueue<LaneEvent, long> ready = new();
    private int places;

    // Places of workers that have not looked for an event yet.
    private int starting;

    // No event from this number on may begin any more: it was refused, or processing ends.
    private long end = long.MaxValue;

    // Used only by the caller that dispatches and drains.
    private readonly List<Task> workers = [];

    /// <summary>Adds an event that follows the others of its lane.</summary>
    public void Add(EventSlot receivedEvent, TLane lane, CancellationToken cancellationToken)
    {
        var added = new LaneEvent(receivedEvent, lane, isFree: false, cancellationToken);
        lock (gate)
        {
            if (newest.TryGetValue(lane, out var before))
            {
                before.Next = added;
            }
            else
            {
                ready.Enqueue(added, receivedEvent.SequenceNumber);
            }

            newest[lane] = added;
        }
    }

    /// <summary>Adds an event that follows no other.</summary>
    public void AddFree(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            ready.Enqueue(new LaneEvent(receivedEvent, default!, isFree: true, cancellationToken), receivedEvent.SequenceNumber);
        }
    }

    /// <summary>Begins every event that may begin. The rest begins automatically.</summary>
    public void Begin()
    {
        var missing = OpenPlaces();
        if (missing > 0)
        {
            workers.RemoveAll(static worker => worker.IsCompleted);
        }

        for (; missing > 0; missing--)
        {
            workers.Add(WorkAsync());
        }
    }

    /// <summary>Completes when nothing is in flight. Cancelled writes end themselves, so no token cancels this wait.</summary>
    public Task DrainAsync() => Task.WhenAll(workers);

    // Occupies one place for as long as there is an event that may begin.
    private async Task WorkAsync()
    {
        // Not on the stack of the dispatch: a sink that works before its first await would delay all others.
        await Task.Yield();
        for (var taken = TakeFirst(); taken is not null; taken = Take())
        {
            try
            {
                context.Lifetime.ThrowIfCancellationRequested();
                await EventWrites.ConcurrentlyAsync(taken.Event, context.Sinks, taken.Cancellation);
                Complete(taken);
            }
            catch (OperationCanceledException refused)
            {
                // At a stop an event may be refused while older ones, which younger ones have overtaken, are not written yet. A gap would cause everything
                // above it to be delivered again.
                End(taken.Event.SequenceNumber);
                context.ReportFailure(refused);
            }
            catch (Exception failure)
            {
                End(long.MinValue);
                context.ReportFailure(failure);
            }
        }
    }

    // How many workers may begin, each of which has a place then.
    private int OpenPlaces()
    {
        lock (gate)
        {
            // A worker that continues may have taken the event for which another one was begun.
            var opened = MayBegin() ? Math.Max(0, Math.Min(ready.Count - starting, context.MaxConcurrency - places)) : 0;
            places += opened;
            starting += opened;
            return opened;
        }
    }

    private LaneEvent? TakeFirst()
    {
        lock (gate)
        {
            starting--;
            return Take();
        }
    }

    // Frees the place when there is nothing to take: an event that may begin is then one that is added later.
    private LaneEvent? Take()
    {
        lock (gate)
        {
            if (MayBegin())
            {
                return ready.Dequeue();
            }

            places--;
            return null;
        }
    }

    private bool MayBegin() => ready.TryPeek(out _, out var oldest) && oldest < end;

    private void Complete(LaneEvent completed)
    {
        lock (gate)
        {
            if (completed.Next is { } next)
            {
                ready.Enqueue(next, next.Event.SequenceNumber);
            }
            else if (!completed.IsFree)
            {
                newest.Remove(completed.Lane);
            }
        }
    }

    private void End(long from)
    {
        lock (gate)
        {
            end = Math.Min(end, from);
        }
    }

    private sealed class LaneEvent(EventSlot receivedEvent, TLane lane, bool isFree, CancellationToken cancellationToken)
    {
        public EventSlot Event => receivedEvent;

        public TLane Lane => lane;

        public bool IsFree => isFree;

        public CancellationToken Cancellation => cancellationToken;

        // Under the gate.
        public LaneEvent? Next { get; set; }
    }
}
