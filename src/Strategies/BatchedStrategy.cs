using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// As <see cref="PipelinedStrategy"/>, but for a sink that takes several events in one operation they are collected; other sinks are written to
/// singly meanwhile. What is collected is sent at once while no operation of the sink is under way, or when nothing more comes; else when it
/// is half of the most that one operation can have, or after the linger time.
/// </summary>
/// <remarks>
/// An event that is collected is in flight and holds its place. So the answer to one operation makes room for what the next one takes.
/// </remarks>
/// <param name="context">Gives the sinks, the degree, the linger time, the clock and the lifetime.</param>
public sealed class BatchedStrategy(StrategyContext context) : IProcessingStrategy
{
    private readonly ITrackedSink[] single = [.. context.Sinks.Where(sink => sink.LargestBatch == 1)];
    private readonly Lock gate = new();

    // Under the gate.
    private readonly CollectingSink[] collecting = [.. context.Sinks.Where(sink => sink.LargestBatch > 1).Select(sink => new CollectingSink(sink, context))];
    private readonly Queue<ReceivedEvent> waiting = new();
    private int places;
    private int writes;
    private bool ended;
    private TaskCompletionSource? drained;

    /// <summary>How long events are collected while an operation of their sink is under way.</summary>
    public static StrategyOption Linger { get; } =
        new("batch-linger", 2, 0, 1000, "Milliseconds for which events are collected for one operation while another one of the same sink is under way.");

    /// <inheritdoc/>
    public ValueTask DispatchAsync(EventBatch batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (gate)
        {
            for (var place = 0; place < batch.Events.Count && !ended && context.Sinks.Count > 0; place++)
            {
                waiting.Enqueue(batch.Events[place]);
            }
        }

        Begin();
        return ValueTask.CompletedTask;
    }

    /// <remarks>
    /// Says that nothing more comes. What failed was told when it failed; writes that are cancelled end by themselves, so that no token cuts the
    /// waiting.
    /// </remarks>
    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancellationToken)
    {
        lock (gate)
        {
            drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        Begin();
        await drained.Task;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var sink in collecting)
        {
            await sink.DisposeAsync();
        }
    }

    // Begins what may begin. Every write that is counted here ends in Complete, which the drain waits for.
    private void Begin()
    {
        List<EventInFlight> entered = [];
        List<CollectedBatch> sent = [];
        lock (gate)
        {
            if (context.Lifetime.IsCancellationRequested)
            {
                ended = true;
                waiting.Clear();
                Array.ForEach(collecting, static sink => sink.Clear());
            }

            Enter(entered);
            var nothingComes = waiting.Count == 0 && (ended || drained is not null);
            foreach (var sink in collecting)
            {
                sink.Take(nothingComes, sent);
                sink.LingerUnlessSent(LingerIsOver);
            }

            writes += (entered.Count * single.Length) + sent.Sum(static batch => batch.Events.Count);
            if (writes == 0 && nothingComes)
            {
                drained?.TrySetResult();
            }
        }

        foreach (var one in entered)
        {
            Array.ForEach(single, sink => _ = WriteAsync(sink, one));
        }

        sent.ForEach(batch => _ = SendAsync(batch));
    }

    // Gives places to those that wait, in their order.
    private void Enter(List<EventInFlight> entered)
    {
        while (places < context.Degree && waiting.TryDequeue(out var next))
        {
            places++;
            var one = new EventInFlight(next, context.Sinks.Count);
            entered.Add(one);
            Array.ForEach(collecting, sink => sink.Add(one));
        }
    }

    private async Task WriteAsync(ITrackedSink sink, EventInFlight one)
    {
        // Not on the stack of the dispatch: a sink that works before its first await would hold up all others.
        await Task.Yield();
        try
        {
            await sink.WriteAsync(one.Event, context.Lifetime);
        }
        catch (Exception failure)
        {
            End(failure);
        }

        Complete([one]);
        Begin();
    }

    private async Task SendAsync(CollectedBatch batch)
    {
        await Task.Yield();
        var ends = batch.Sink.Start(batch, context.Lifetime);
        for (var left = Enumerable.Range(0, ends.Count).ToList(); left.Count > 0; )
        {
            await Task.WhenAny(left.Select(at => ends[at]));

            // The answer to an operation ends its events one after another: their places are for one operation again.
            await Task.Yield();
            var over = left.FindAll(at => ends[at].IsCompleted);
            over.ForEach(at => EndIfFailed(ends[at]));
            Complete(over.ConvertAll(at => batch.Events[at]), batch);
            left.RemoveAll(over.Contains);
            Begin();
        }
    }

    private void Complete(List<EventInFlight> over, CollectedBatch? batch = null)
    {
        lock (gate)
        {
            writes -= over.Count;
            places -= over.Count(static one => --one.SinksLeft == 0);
            batch?.Answered();
        }
    }

    private void EndIfFailed(Task<WriteOutcome> write)
    {
        if (!write.IsCompletedSuccessfully)
        {
            End(write.Exception?.InnerException ?? new TaskCanceledException(write));
        }
    }

    // What is in flight is finished, collected or not; nothing else is begun.
    private void End(Exception failure)
    {
        lock (gate)
        {
            ended = true;
            waiting.Clear();
        }

        if (failure is not OperationCanceledException || !context.Lifetime.IsCancellationRequested)
        {
            context.ReportFailure(failure);
        }
    }

    private void LingerIsOver(CollectingSink sink)
    {
        lock (gate)
        {
            sink.LingerIsOver();
        }

        Begin();
    }
}
