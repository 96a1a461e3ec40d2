using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// As <see cref="PipelinedStrategy"/>, but each sink takes the events independently, several waiting ones in one operation if it can. The degree limits the
/// operations under way at each sink, and only the window limits the events. So a sink that accepts several events in one operation gets few operations, and
/// delays the other sinks only by the window.
/// </summary>
internal sealed class BatchedStrategy : IProcessingStrategy
{
    private readonly WaitingEvents waiting;
    private readonly SinkWrites[] sinks;

    /// <param name="context">Has the sinks, the degree, the window, the linger time, the clock and the lifetime.</param>
    public BatchedStrategy(StrategyContext context)
    {
        // Two operations, so that one can be collected while another waits for the slower sink. More would only keep events longer.
        var lead = context.Sinks.Select(sink => 2 * SinkWrites.EnoughFor(sink, context)).Append(context.MaxConcurrency).Max();
        waiting = new WaitingEvents(context, context.Sinks.Count, lead);
        sinks = [.. context.Sinks.Select((sink, place) => new SinkWrites(sink, place, waiting, context, Begin))];
    }

    /// <summary>How long events wait for others while an operation of their sink is under way.</summary>
    public static StrategyOption Linger { get; } =
        new("batch-linger", 20, 0, 1000, "Milliseconds that events wait to share an operation while another operation of the same sink is in flight.");

    /// <inheritdoc/>
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (waiting.Gate)
        {
            waiting.Add(batch);
        }

        Begin();
        return ValueTask.CompletedTask;
    }

    /// <remarks>Ends the input. Failures were reported when they occurred.</remarks>
    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancellationToken)
    {
        foreach (var drained in Array.ConvertAll(sinks, static sink => sink.DrainAsync()))
        {
            await drained;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var sink in sinks)
        {
            await sink.DisposeAsync();
        }
    }

    // After one sink has taken events, another one may continue.
    private void Begin()
    {
        while (sinks.Any(static sink => sink.Begin())) { }
    }
}
