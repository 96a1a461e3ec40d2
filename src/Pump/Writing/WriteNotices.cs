using EventHubThroughput.Clients;
using EventHubThroughput.Pump.Logs;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Pump.Writing;

/// <summary>Reports the events of the running writes of one sink: always to the observers and the log, to the strategy when it asks for them.</summary>
/// <param name="sink">The sink's name.</param>
/// <param name="partition">The partition.</param>
/// <param name="place">The sink's place.</param>
/// <param name="observers">The observers of the ownership.</param>
/// <param name="log">The log.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class WriteNotices(string sink, string partition, int place, PartitionObserver[] observers, ILogger log, TimeProvider timeProvider)
{
    private IWriteWatcher? watcher;

    /// <summary>Sets the strategy, which is created after its sinks.</summary>
    public void NotifyTo(IWriteWatcher strategy) => watcher = strategy;

    /// <summary>A try has failed.</summary>
    /// <param name="sequence">The event.</param>
    /// <param name="failure">The failure.</param>
    /// <param name="again">Whether another one follows.</param>
    /// <param name="attempts">Tries that failed so far.</param>
    /// <param name="started">When the write began.</param>
    public void Failed(long sequence, MessagingException failure, bool again, int attempts, long started)
    {
        var kind = failure.Kind;
        var next =
            again ? AfterFailure.TriedAgain
            : RetryRule.IsFatal(kind) ? AfterFailure.Fatal
            : AfterFailure.GivenUp;
        foreach (var observer in observers)
        {
            observer.TryFailed(place, failure, next);
        }

        if (again)
        {
            Log.TryFailed(log, sink, attempts, sequence, partition, failure);
        }
        else
        {
            Log.WriteFailed(log, sink, sequence, partition, attempts, failure);
        }

        watcher?.Noticed(new WriteNotice(place, sequence, attempts, kind == FailureKind.Throttled, timeProvider.GetElapsedTime(started)));
    }

    /// <summary>An event is in the dead-letter store.</summary>
    public void DeadLettered(long sequence) => Log.DeadLettered(log, sink, sequence, partition);

    /// <summary>An event could not be stored in the dead-letter store.</summary>
    public void DeadLetterRefused(long sequence, MessagingException failure) => Log.DeadLetterRefused(log, sink, sequence, partition, failure);

    /// <summary>A write was cancelled.</summary>
    public void Cut()
    {
        foreach (var observer in observers)
        {
            observer.WriteCut(place);
        }

        Log.WriteCut(log, sink, partition);
    }
}
