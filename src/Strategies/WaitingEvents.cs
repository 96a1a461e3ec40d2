using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// Events that were handed over and wait to be taken: by one taker, or by several of which each takes every event. After a failure no event is added, and
/// takers receive only events that another one has taken already, so that what is begun is finished. After the end of the lifetime nothing is taken. The
/// dispatching caller keeps the number within the window.
/// </summary>
/// <param name="context">Has lifetime and clock. Receives failures.</param>
/// <param name="takers">How many take every event.</param>
/// <param name="lead">How many events a taker may be ahead of any other one.</param>
internal sealed class WaitingEvents(StrategyContext context, int takers = 1, int lead = int.MaxValue)
{
    // Under the gate.
    private readonly Queue<(EventSlot Event, long Came)>[] queues = [.. Enumerable.Range(0, takers).Select(static _ => new Queue<(EventSlot, long)>())];
    private long newestTaken = long.MinValue;
    private bool ended;

    /// <summary>The lock of this object. Callers of every member except <see cref="End"/> hold it. They may also guard related state with it.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Adds the events of a batch. Events after the end are left out.</summary>
    public void Add(IReadOnlyList<EventSlot> batch)
    {
        var now = context.TimeProvider.GetTimestamp();
        for (var place = 0; place < batch.Count && !ended; place++)
        {
            foreach (var queue in queues)
            {
                queue.Enqueue((batch[place], now));
            }
        }
    }

    /// <summary>How many events wait for a taker.</summary>
    public int Count(int taker = 0)
    {
        EndIfCut();
        return queues[taker].Count;
    }

    /// <summary>How many of them the taker may take before it is too far ahead of another one.</summary>
    public int Allowed(int taker)
    {
        var count = Count(taker);
        var most = count;
        foreach (var queue in queues)
        {
            most = Math.Max(most, queue.Count);
        }

        return Math.Min(count, lead - (most - count));
    }

    /// <summary>How long the oldest of them has waited for a taker. Zero if none waits.</summary>
    public TimeSpan Age(int taker = 0) => queues[taker].TryPeek(out var oldest) ? context.TimeProvider.GetElapsedTime(oldest.Came) : TimeSpan.Zero;

    /// <summary>The next event for a taker. Null if none waits.</summary>
    public EventSlot? Take(int taker = 0)
    {
        EndIfCut();
        if (!queues[taker].TryDequeue(out var next))
        {
            return null;
        }

        newestTaken = Math.Max(newestTaken, next.Event.SequenceNumber);
        return next.Event;
    }

    /// <summary>The next events for a taker, up to the number that it may take. Empty if none waits.</summary>
    public List<EventSlot> TakeUpTo(int most, int taker)
    {
        var count = Math.Min(most, Allowed(taker));
        var taken = new List<EventSlot>(count);
        while (taken.Count < count && Take(taker) is { } next)
        {
            taken.Add(next);
        }

        return taken;
    }

    /// <summary>Ends the input and reports the failure, unless the end of the lifetime caused it.</summary>
    public void End(Exception failure)
    {
        lock (Gate)
        {
            ended = true;
            Array.ForEach(queues, KeepBegun);
        }

        if (failure is not OperationCanceledException || !context.Lifetime.IsCancellationRequested)
        {
            context.ReportFailure(failure);
        }
    }

    private void EndIfCut()
    {
        if (context.Lifetime.IsCancellationRequested)
        {
            ended = true;
            Array.ForEach(queues, static queue => queue.Clear());
        }
    }

    private void KeepBegun(Queue<(EventSlot Event, long Came)> queue)
    {
        var begun = queue.TakeWhile(one => one.Event.SequenceNumber <= newestTaken).ToList();
        queue.Clear();
        begun.ForEach(queue.Enqueue);
    }
}
