using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// A sink as a strategy sees it. That an event has been acknowledged is recorded here, so that no strategy can forget it. A write that
/// may heal is tried again, and what has failed for good is dealt with as the poison policy says.
/// </summary>
public interface ITrackedSink
{
    /// <summary>The sink's name.</summary>
    string Name { get; }

    /// <summary>The most events that the sink takes in one operation. 1 for one that takes them singly.</summary>
    int LargestBatch => 1;

    /// <summary>Writes one event. Completes when the destination has acknowledged it, or when it is stored among the dead letters.</summary>
    /// <param name="receivedEvent">An event of a batch that was dispatched. Each is written to each sink once.</param>
    /// <param name="cancellationToken">The one that the strategy was given. A write once begun is finished all the same, or its outcome would be unknown.</param>
    /// <exception cref="OperationCanceledException">The event is not begun, or its write was cut: the partition is lost or stopping.</exception>
    /// <exception cref="Exception">Processing ends at this event. It has been reported. The strategy lets it pass.</exception>
    ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken);

    /// <summary>
    /// Writes several events, in as few operations as the sink can. Completes when each of them is acknowledged or stored among the
    /// dead letters. One that is refused neither repeats nor loses the others.
    /// </summary>
    /// <param name="events">Events of batches that were dispatched.</param>
    /// <param name="cancellationToken">As for a single write.</param>
    /// <returns>The outcomes in the order of the events.</returns>
    ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken);

    /// <summary>
    /// Begins to write several events, in as few operations as the sink can. Each has an end of its own: one that is tried again or
    /// held back does not delay the news of the others. Never throws by itself.
    /// </summary>
    /// <param name="events">Events of batches that were dispatched.</param>
    /// <param name="cancellationToken">As for a single write.</param>
    /// <returns>The ends in the order of the events, each as that of a single write.</returns>
    IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        return [.. events.Select(StartAsync)];

        async Task<WriteOutcome> StartAsync(EventSlot receivedEvent) => await WriteAsync(receivedEvent, cancellationToken);
    }
}

/// <summary>How one write went. With the notices of running writes all that an adaptive strategy may know.</summary>
/// <param name="Elapsed">From the first try to the acknowledgement.</param>
/// <param name="Attempts">How many tries it took. At least 1.</param>
/// <param name="Throttled">Whether the destination asked to slow down at least once.</param>
/// <param name="DeadLettered">Whether the event was stored among the dead letters instead.</param>
public readonly record struct WriteOutcome(TimeSpan Elapsed, int Attempts, bool Throttled, bool DeadLettered = false);

/// <summary>A failed try of a write that goes on.</summary>
/// <param name="Sink">The sink's place among those of the context.</param>
/// <param name="Sequence">The event's sequence number.</param>
/// <param name="Attempts">How many tries have failed so far.</param>
/// <param name="Throttled">Whether the destination asked to slow down this time.</param>
/// <param name="Elapsed">Since the first try began.</param>
public readonly record struct WriteNotice(int Sink, long Sequence, int Attempts, bool Throttled, TimeSpan Elapsed);
