using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// As <see cref="PipelinedStrategy"/>, but how many events are in flight is found while it runs, from goodput and from throttles and failures of
/// writes, those still running included; the degree is the upper limit.
/// </summary>
/// <param name="context">Gives the sinks, the limit, the clock and the lifetime; told of the degree.</param>
public sealed class AdaptiveStrategy(StrategyContext context) : IProcessingStrategy, IWriteWatcher
{
    private readonly WaitingEvents waiting = new(context);

    // Under its gate.
    private readonly DegreeSearch search = new(context.Degree, context.TimeProvider);
    private int inFlight;
    private int reported;
    private TaskCompletionSource? drained;

    /// <inheritdoc/>
    public ValueTask DispatchAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        waiting.Add(batch);
        Begin();
        return ValueTask.CompletedTask;
    }

    /// <remarks>What failed was told when it failed. Cancelled writes end by themselves, so that no token cuts the waiting.</remarks>
    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancellationToken)
    {
        lock (waiting.Gate)
        {
            drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        Begin();
        await drained.Task;
    }

    /// <inheritdoc/>
    public void Noticed(in WriteNotice notice)
    {
        int? degree;
        lock (waiting.Gate)
        {
            search.Failed(notice.Throttled);
            degree = Changed();
        }

        Report(degree);
    }

    // As many workers as the degree in force; each takes event after event until there are too many of them or nothing waits.
    private void Begin()
    {
        int missing;
        int? degree;
        lock (waiting.Gate)
        {
            missing = Math.Max(0, Math.Min(waiting.Count(), search.Degree - inFlight));
            inFlight += missing;
            degree = Changed();
            if (inFlight == 0 && waiting.Count() == 0)
            {
                drained?.TrySetResult();
            }
        }

        Report(degree);
        for (; missing > 0; missing--)
        {
            _ = WorkAsync();
        }
    }

    private async Task WorkAsync()
    {
        // Not on the stack of the dispatch: a sink that works before its first await would hold up all others.
        await Task.Yield();
        while (Take() is { } receivedEvent)
        {
            try
            {
                await EventWrites.AtOnceAsync(receivedEvent, context.Sinks, context.Lifetime);
                Complete();
            }
            catch (Exception failure)
            {
                waiting.End(failure);
            }

            Begin();
        }

        Begin();
    }

    // The next event, or null when the place is given back.
    private ReceivedEvent? Take()
    {
        lock (waiting.Gate)
        {
            if (inFlight <= search.Degree && waiting.Take() is { } next)
            {
                return next;
            }

            if (waiting.Count() == 0)
            {
                search.Starve();
            }

            inFlight--;
            return null;
        }
    }

    private void Complete()
    {
        lock (waiting.Gate)
        {
            search.Completed();
        }
    }

    // Under the gate: the degree, if it is another one than was told.
    private int? Changed()
    {
        if (reported == search.Degree)
        {
            return null;
        }

        return reported = search.Degree;
    }

    private void Report(int? degree)
    {
        if (degree is { } changed)
        {
            context.ReportDegree(changed);
        }
    }
}
