using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// A sink as a strategy sees it. It records acknowledgements itself, so that no strategy can forget them. It retries transient failures, and applies the
/// poison policy to permanent ones.
/// </summary>
public interface ITrackedSink
{
    /// <summary>The sink's name.</summary>
    string Name { get; }

    /// <summary>The most events that the sink accepts in one operation. 1 for a sink without batches.</summary>
    int LargestBatch => 1;

    /// <summary>Writes one event. Completes when the destination has acknowledged it, or when it is in the dead-letter store.</summary>
    /// <param name="receivedEvent">An event of a batch that was dispatched. Each is written to each sink once.</param>
    /// <param name="cancellationToken">
    /// The token of the dispatch. A write that was begun is finished even so, because its outcome would otherwise be unknown.
    /// </param>
    /// <exception cref="OperationCanceledException">The event was not begun, or its write was cancelled: the partition is lost or stopping.</exception>
    /// <exception cref="Exception">Processing ends at this event. It has been reported. The strategy lets the exception pass.</exception>
    ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken);

    /// <summary>
    /// Writes several events, in as few operations as the sink can. Completes when each of them is acknowledged or in the dead-letter store. A refused event
    /// neither repeats nor loses the others.
    /// </summary>
    /// <param name="events">Events of batches that were dispatched.</param>
    /// <param name="cancellationToken">As for a single write.</param>
    /// <returns>The outcomes in the order of the events.</returns>
    ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken);

    /// <summary>
    /// Begins to write several events, in as few operations as the sink can. Each has a separate task: an event that is retried or held does not delay the
    /// results of the others. The method itself never throws.
    /// </summary>
    /// <param name="events">Events of batches that were dispatched.</param>
    /// <param name="cancellationToken">As for a single write.</param>
    /// <returns>The tasks in the order of the events, each like that of a single write.</returns>
    IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        return [.. events.Select(StartAsync)];

        async Task<WriteOutcome> StartAsync(EventSlot receivedEvent) => await WriteAsync(receivedEvent, cancellationToken);
    }
}

/// <summary>The result of one write. Together with the notices of running writes, it is all that an adaptive strategy may use.</summary>
/// <param name="Elapsed">The time from the first try to the acknowledgement.</param>
/// <param name="Attempts">The number of tries. At least 1.</param>
/// <param name="Throttled">Whether the destination asked to slow down at least once.</param>
/// <param name="DeadLettered">Whether the event is in the dead-letter store instead.</param>
public readonly record struct WriteOutcome(TimeSpan Elapsed, int Attempts, bool Throttled, bool DeadLettered = false);

/// <summary>A failed try of a write that continues.</summary>
/// <param name="Sink">The sink's place among those of the context.</param>
/// <param name="Sequence">The event's sequence number.</param>
/// <param name="Attempts">How many tries have failed so far.</param>
/// <param name="Throttled">Whether the destination asked to slow down this time.</param>
/// <param name="Elapsed">The time since the first try began.</param>
public readonly record struct WriteNotice(int Sink, long Sequence, int Attempts, bool Throttled, TimeSpan Elapsed);
