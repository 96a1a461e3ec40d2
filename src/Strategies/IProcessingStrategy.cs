using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>
/// A rule of order and concurrency for the writes of a partition's events. It does nothing else: a strategy does not time, count, log, retry or checkpoint,
/// and never swallows a sink's exception.
/// </summary>
/// <remarks>
/// One instance per owned partition, created when the partition is claimed, drained and disposed of when it is given up. Its methods are never called
/// concurrently. So an instance may keep state without locks as long as it starts nothing in the background.
/// </remarks>
public interface IProcessingStrategy : IAsyncDisposable
{
    /// <summary>
    /// Begins the writes of every event of the batch to every sink of the context. Completes when the strategy is ready for the
    /// partition's next batch: when every write has finished, or earlier for a strategy without a barrier.
    /// </summary>
    /// <param name="batch">The events, in order, all of them above those of earlier batches.</param>
    /// <param name="cancellationToken">Cancels the writes. An event whose writes were cancelled is not complete.</param>
    ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken);

    /// <summary>
    /// Completes when nothing that the strategy started is in flight, and then throws failures that were not reported before. Called once, before disposal,
    /// also after a failure.
    /// </summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    ValueTask DrainAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    /// <summary>Releases what the strategy holds. Nothing of it is in flight any more.</summary>
    ValueTask IAsyncDisposable.DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>A strategy may also implement this interface: it then receives notices of running writes before they end.</summary>
public interface IWriteWatcher
{
    /// <summary>A try of a running write has failed and another one follows. Called from any thread. Must be quick and not throw.</summary>
    /// <param name="notice">The failed try.</param>
    void Noticed(in WriteNotice notice);
}
