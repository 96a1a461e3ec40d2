using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Writes events in lanes, the sinks of each event at once: in one lane an event begins when the one before it is complete, retries included,
/// and events of different lanes go on at once, up to the degree. An event that waits for its lane holds no place. Of those that may begin the
/// oldest comes first: nobody starves, and the low watermark moves on as soon as it can.
/// </summary>
/// <typeparam name="TLane">What tells one lane from another.</typeparam>
internal sealed class LaneWrites<TLane>(StrategyContext context)
    where TLane : notnull
{
    private readonly Lock gate = new();

    // Under the gate. Of each lane that has an event here the newest one, to which the next is tied: a lane without events takes no memory.
    private readonly Dictionary<TLane, LaneEvent> newest = [];
    private readonly PriorityQueue<LaneEvent, long> ready = new();
    private int places;

    // Places of workers that have not looked for an event yet.
    private int starting;

    // No event from this number on is begun any more: it was refused, or processing ends.
    private long end = long.MaxValue;

    // Used by the one who dispatches and drains.
    private readonly List<Task> workers = [];

    /// <summary>Takes an event that follows the others of its lane.</summary>
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

    /// <summary>Takes an event that follows no other.</summary>
    public void AddFree(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            ready.Enqueue(new LaneEvent(receivedEvent, default!, isFree: true, cancellationToken), receivedEvent.SequenceNumber);
        }
    }

    /// <summary>Begins what may begin. The rest follows by itself.</summary>
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

    /// <summary>Completes when nothing is in flight. Writes that are cancelled end by themselves, so that no token cuts the waiting.</summary>
    public Task DrainAsync() => Task.WhenAll(workers);

    // Holds one place for as long as there is an event that may begin.
    private async Task WorkAsync()
    {
        // Not on the stack of the dispatch: a sink that works before its first await would hold up all others.
        await Task.Yield();
        for (var taken = TakeFirst(); taken is not null; taken = Take())
        {
            try
            {
                context.Lifetime.ThrowIfCancellationRequested();
                await EventWrites.AtOnceAsync(taken.Event, context.Sinks, taken.Cancellation);
                Complete(taken);
            }
            catch (OperationCanceledException refused)
            {
                // At a stop an event is refused while older ones, which younger ones have overtaken, are still to be written: a gap would
                // have everything above it delivered again.
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

    // How many workers are to begin, each of which has its place then.
    private int OpenPlaces()
    {
        lock (gate)
        {
            // A worker that goes on may have taken what another one was begun for.
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

    // Gives the place back when there is nothing to take: an event that may begin is then one that is added later.
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
