using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// The writes to one sink. The degree is the most concurrent operations, each of several events. An operation begins when enough events wait for it, or when
/// no other one is under way. It also begins when the oldest event has waited for the linger time, or when the input has ended. A sink without batches always
/// has enough.
/// </summary>
/// <param name="sink">The sink.</param>
/// <param name="place">Its index among the takers of the events.</param>
/// <param name="waiting">The events. Their gate guards the state here.</param>
/// <param name="context">Has degree, window, linger time, clock and lifetime.</param>
/// <param name="begin">Called when an operation may begin, here or at another sink.</param>
internal sealed class SinkWrites(ITrackedSink sink, int place, WaitingEvents waiting, StrategyContext context, Action begin) : IAsyncDisposable
{
    private readonly TimeSpan linger = TimeSpan.FromMilliseconds(context.Options[BatchedStrategy.Linger.Name]);

    private readonly int enough = EnoughFor(sink, context);

    // Under the gate.
    private int underWay;
    private bool lingers;
    private ITimer? timer;
    private TaskCompletionSource? drained;

    /// <summary>
    /// The number of events with which an operation waits for no others. A small window is divided by four: no operation would be full if one needed all of
    /// it.
    /// </summary>
    public static int EnoughFor(ITrackedSink sink, StrategyContext context) => Math.Clamp(context.Window / 4, 1, sink.LargestBatch);

    /// <summary>Begins the operations that may begin here. Returns whether there was one.</summary>
    public bool Begin()
    {
        var begun = false;
        while (TryTake() is { } events)
        {
            _ = WorkAsync(events);
            begun = true;
        }

        return begun;
    }

    /// <summary>Ends the input. Completes when nothing is under way. Cancelled writes end themselves, so no token cancels this wait.</summary>
    public Task DrainAsync()
    {
        var ending = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (waiting.Gate)
        {
            drained = ending;
        }

        begin();
        return ending.Task;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => timer?.DisposeAsync() ?? ValueTask.CompletedTask;

    private async Task WorkAsync(List<EventSlot> events)
    {
        // Not on the stack of the dispatch: a sink that works before its first await would delay all others.
        await Task.Yield();
        try
        {
            await WriteAsync(events);
        }
        finally
        {
            // Reporting a failure may throw: the drain must end in any case.
            lock (waiting.Gate)
            {
                underWay--;
            }

            begin();
        }
    }

    private async ValueTask WriteAsync(List<EventSlot> events)
    {
        try
        {
            if (sink.LargestBatch == 1)
            {
                await sink.WriteAsync(events[0], context.Lifetime);
            }
            else
            {
                await Task.WhenAll(sink.StartBatch(events, context.Lifetime).Select(FollowAsync));
            }
        }
        catch (Exception failure)
        {
            waiting.End(failure);
        }
    }

    // Each separately: a failure is reported while others of its operation are still retried.
    private async Task FollowAsync(Task<WriteOutcome> write)
    {
        try
        {
            await write;
        }
        catch (Exception failure)
        {
            waiting.End(failure);
        }
    }

    // The events of another operation, which then has its place. Null when none is due.
    private List<EventSlot>? TryTake()
    {
        lock (waiting.Gate)
        {
            if (underWay < context.MaxConcurrency && IsDue() && waiting.TakeUpTo(sink.LargestBatch, place) is { Count: > 0 } events)
            {
                underWay++;
                return events;
            }

            EndOrLinger();
            return null;
        }
    }

    private bool IsDue() =>
        waiting.Allowed(place) >= enough || (!WaitsForAnotherSink && (underWay == 0 || drained is not null || waiting.Age(place) >= linger));

    // Then an event would not be complete earlier in a smaller operation.
    private bool WaitsForAnotherSink => waiting.Allowed(place) < waiting.Count(place);

    // Under the gate.
    private void EndOrLinger()
    {
        var waits = waiting.Count(place) > 0;
        if (!waits && underWay == 0)
        {
            drained?.TrySetResult();
        }

        if (waits && !lingers && underWay < context.MaxConcurrency && !WaitsForAnotherSink)
        {
            lingers = true;
            timer ??= CreateTimer();
            timer.Change(AtLeast(linger - waiting.Age(place)), Timeout.InfiniteTimeSpan);
        }
    }

    // The timer was set for the event that was the oldest then. It may be gone by now, and a younger one has time left.
    private void EndLinger()
    {
        lock (waiting.Gate)
        {
            lingers = false;
        }

        begin();
    }

    private ITimer CreateTimer()
    {
        // The caller's scheduler, which a timer does not keep.
        var scheduler = TaskScheduler.Current;
        return context.TimeProvider.CreateTimer(
            _ => _ = Task.Factory.StartNew(EndLinger, CancellationToken.None, TaskCreationOptions.None, scheduler),
            null,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan
        );
    }

    // Timers truncate fractions of a millisecond, and would fire too early again and again.
    private static TimeSpan AtLeast(TimeSpan time) => TimeSpan.FromMilliseconds(Math.Max(1, Math.Ceiling(time.TotalMilliseconds)));
}
