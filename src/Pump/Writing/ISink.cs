namespace EventHubThroughput.Processing;

/// <summary>A destination that every event must be written to. The author of a sink implements it.</summary>
/// <typeparam name="TEvent">The type of the events.</typeparam>
public interface ISink<in TEvent>
{
    /// <summary>The sink's name in metrics, results and the reasons of dead letters: lower case, no blanks.</summary>
    string Name { get; }

    /// <summary>
    /// Whether every write ends within a time limit of the sink itself, as with one over a client. No second limit is then set. Default false.
    /// </summary>
    bool LimitsItself => false;

    /// <summary>
    /// Writes one event. Completes when the destination has acknowledged it, throws when it has not. May be called again for the same event, after a failure
    /// as well as in another process: a write must be safe to repeat. Called concurrently for different events.
    /// </summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="cancellationToken">
    /// Cancelled when the try has taken too long, or the partition has another owner. Valid until the call completes: its source is used again afterwards.
    /// </param>
    ValueTask WriteAsync(TEvent receivedEvent, CancellationToken cancellationToken);
}

/// <summary>A sink that accepts several events in one operation.</summary>
/// <typeparam name="TEvent">The type of the events.</typeparam>
public interface IBatchSink<in TEvent> : ISink<TEvent>
{
    /// <summary>The most events that it accepts in one operation. At least 1.</summary>
    int LargestBatch { get; }

    /// <summary>
    /// Writes several events. Throws when the destination has acknowledged none of them. Otherwise returns for each of them, in their order, null when it is
    /// acknowledged or else its failure.
    /// </summary>
    /// <param name="events">The events. At least 1, at most <see cref="LargestBatch"/>.</param>
    /// <param name="cancellationToken">
    /// Cancelled when the try has taken too long, or the partition has another owner. Valid until the call completes: its source is used again afterwards.
    /// </param>
    ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<TEvent> events, CancellationToken cancellationToken);
}
