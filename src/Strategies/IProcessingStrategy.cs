using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// A rule of order and concurrency for the writes of a batch; nothing else. A strategy does not time, count, log, retry or
/// checkpoint, and never catches a sink's exception.
/// </summary>
/// <remarks>
/// One instance per owned partition, created when the partition is taken and drained when it is given up; its methods are never
/// called concurrently, so an instance may keep state without locks.
/// </remarks>
public interface IProcessingStrategy
{
    /// <summary>
    /// Writes every event of the batch to every sink. Completes when the strategy is ready for the partition's next batch:
    /// when every write has finished, or earlier for a pipelined strategy.
    /// </summary>
    /// <param name="batch">The events, in order.</param>
    /// <param name="sinks">The sinks; every event goes to each of them exactly once.</param>
    /// <param name="cancellationToken">Cancels the writes; an event whose writes were cancelled is not complete.</param>
    Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken);

    /// <summary>
    /// Completes when nothing that the strategy started is in flight. A failure after <see cref="ProcessAsync"/> returned
    /// faults the next <see cref="ProcessAsync"/> or this call.
    /// </summary>
    ValueTask DrainAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
