using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// As <see cref="PipelinedStrategy"/>, but it adjusts the number of events in flight while it runs. All partitions of the process share the search. It uses
/// goodput and latency, and throttles and failed tries of writes that still run. The degree is a partition's upper limit.
/// </summary>
/// <param name="context">Has the sinks, the limits, the clock and the lifetime. Receives the degree.</param>
internal sealed class AdaptiveStrategy(StrategyContext context) : IProcessingStrategy, IWriteWatcher
{
    private readonly WaitingEvents waiting = new(context);
    private readonly SharedSearch search = context.Limit.Join(context.MaxConcurrency, context.TimeProvider);
    private readonly SharedLimit places = new(context.MaxConcurrency);

    // Under the gate of the waiting events.
    private readonly HashSet<long> throttled = [];
    private int open;
    private bool beginning;
    private TaskCompletionSource? drained;

    private int reported;

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Report();
        lock (waiting.Gate)
        {
            waiting.Add(batch);
            if (beginning || waiting.Count() == 0)
            {
                return ValueTask.CompletedTask;
            }

            beginning = true;
        }

        _ = BeginAsync();
        return ValueTask.CompletedTask;
    }

    /// <remarks>Failures were reported when they occurred. Cancelled writes end themselves, so no token cancels this wait.</remarks>
    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancellationToken)
    {
        Task over;
        lock (waiting.Gate)
        {
            drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            over = drained.Task;
            NotifyIfDrained();
        }

        await over;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        search.Part(context.MaxConcurrency, throttled.Count);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public void Noticed(in WriteNotice notice)
    {
        if (!notice.Throttled)
        {
            search.Failed();
        }
        else
        {
            search.Throttled(isFirst: AddThrottled(notice.Sequence));
        }

        Report();
    }

    // One event after another as places become free, in turn with the other partitions, because each waits for one place at a time.
    private async Task BeginAsync()
    {
        // Not on the stack of the dispatch: a sink that works before its first await would delay all others.
        await Task.Yield();
        while (IsWaiting())
        {
            try
            {
                await places.EnterAsync(context.Lifetime);
                await search.EnterAsync(context.Lifetime);
                _ = WriteAsync(Take());
            }
            catch (OperationCanceledException cut)
            {
                waiting.End(cut);
            }
        }
    }

    private async Task WriteAsync(EventSlot? taken)
    {
        await Task.Yield();
        var begun = context.TimeProvider.GetTimestamp();
        try
        {
            if (taken is { } receivedEvent)
            {
                await WriteAsync(receivedEvent, begun);
            }
        }
        finally
        {
            search.Leave();
            places.Leave();
            End();
        }
    }

    private async ValueTask WriteAsync(EventSlot receivedEvent, long begun)
    {
        try
        {
            await EventWrites.ConcurrentlyAsync(receivedEvent, context.Sinks, context.Lifetime);
            search.Completed(context.TimeProvider.GetElapsedTime(begun), RemoveThrottled(receivedEvent.SequenceNumber));
        }
        catch (Exception failure)
        {
            waiting.End(failure);
        }
    }

    // Reporting the degree may throw: the drain must end in any case.
    private void End()
    {
        try
        {
            Report();
        }
        finally
        {
            Close();
        }
    }

    private bool IsWaiting()
    {
        lock (waiting.Gate)
        {
            beginning = waiting.Count() > 0;
            NotifyIfDrained();
            return beginning;
        }
    }

    // The next event, or null if all of them were dropped during the wait for a place.
    private EventSlot? Take()
    {
        lock (waiting.Gate)
        {
            open++;
            return waiting.Take();
        }
    }

    private void Close()
    {
        lock (waiting.Gate)
        {
            open--;
            NotifyIfDrained();
        }
    }

    // Under the gate.
    private void NotifyIfDrained()
    {
        if (open == 0 && !beginning)
        {
            drained?.TrySetResult();
        }
    }

    private bool AddThrottled(long sequence)
    {
        lock (waiting.Gate)
        {
            return throttled.Add(sequence);
        }
    }

    private bool RemoveThrottled(long sequence)
    {
        lock (waiting.Gate)
        {
            return throttled.Remove(sequence);
        }
    }

    private void Report()
    {
        var degree = Math.Min(search.Degree, context.MaxConcurrency);
        if (Interlocked.Exchange(ref reported, degree) != degree)
        {
            context.ReportConcurrency(degree);
        }
    }
}
