using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>The result of a request to store the watermark.</summary>
internal enum FlushResult
{
    /// <summary>The watermark at the time of the request, or a newer one, is stored.</summary>
    Confirmed,

    /// <summary>Another writer has the partition: nothing more is stored.</summary>
    OwnershipLost,
}

/// <summary>
/// Stores the watermark of one partition. There is one write at a time. Requests in the meantime become one request for the newest position, and positions
/// strictly increase. A failed write is retried before any other, always with the newest position.
/// </summary>
/// <param name="tracker">Has the watermark.</param>
/// <param name="store">Stores a position.</param>
/// <param name="retry">The pauses after failed attempts.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class CheckpointWriter(EventTracker tracker, Func<EventPosition, CancellationToken, Task> store, RetryRule retry, TimeProvider timeProvider)
{
    private readonly SharedLimit oneAtATime = new(1);

    // Written only while the lock is held.
    private long confirmedPassed;
    private volatile bool stopped;

    /// <summary>Receive each attempt, one at a time.</summary>
    public PartitionObserver[] Observers { get; init; } = [];

    /// <summary>
    /// Checks a position that is about to be stored. An exception prevents storing it. Called under the lock of the tracker, so it must be quick.
    /// </summary>
    public Action<EventPosition>? Check { get; init; }

    /// <summary>Logs a failed attempt, which is repeated.</summary>
    public Action<MessagingException>? LogFailure { get; init; }

    /// <summary>Set when the confirmed position has moved.</summary>
    public WakeSignal? Confirmed { get; init; }

    /// <summary>The number of this ownership's events up to the last confirmed position.</summary>
    public long ConfirmedPassed => Interlocked.Read(ref confirmedPassed);

    /// <summary>Stores the watermark unless it is stored already. Returns when it is confirmed.</summary>
    /// <exception cref="MessagingException">The store is missing, refuses or is unreachable: retrying is useless.</exception>
    public async Task<FlushResult> FlushAsync(CancellationToken cancellationToken)
    {
        var wanted = tracker.Passed;
        await oneAtATime.EnterAsync(cancellationToken);
        try
        {
            var advised = TimeSpan.Zero;
            for (var failures = 0; !stopped; failures++)
            {
                if (ConfirmedPassed >= wanted)
                {
                    return FlushResult.Confirmed;
                }

                if (failures > 0)
                {
                    await Task.Delay(retry.DelayBefore(failures, advised), timeProvider, cancellationToken);
                }

                advised = await TryStoreAsync(cancellationToken);
            }

            return FlushResult.OwnershipLost;
        }
        finally
        {
            oneAtATime.Leave();
        }
    }

    /// <summary>Stores nothing from now on. The caller cancels a write under way.</summary>
    public void Stop() => stopped = true;

    // Returns the least wait before another try that the store asks for.
    private async Task<TimeSpan> TryStoreAsync(CancellationToken cancellationToken)
    {
        // Read at the last moment: events that completed during a failed write are included in the next one.
        var reading = tracker.Read(Check)!.Value;
        var started = timeProvider.GetTimestamp();
        try
        {
            await store(reading.Position, cancellationToken);
        }
        catch (MessagingException failure) when (failure.IsTransient)
        {
            LogFailure?.Invoke(failure);
            var failedAfter = timeProvider.GetElapsedTime(started);
            foreach (var observer in Observers)
            {
                observer.CheckpointFailed(failedAfter);
            }

            return failure.RetryAfter;
        }
        catch (MessagingException failure) when (failure.Kind == FailureKind.OwnershipLost)
        {
            stopped = true;
            return TimeSpan.Zero;
        }

        // In this order: no event is handed over because of a checkpoint that an observer has not seen.
        var (events, elapsed) = (reading.Passed - ConfirmedPassed, timeProvider.GetElapsedTime(started));
        foreach (var observer in Observers)
        {
            observer.CheckpointStored(reading.Position, events, elapsed);
        }

        Interlocked.Exchange(ref confirmedPassed, reading.Passed);
        Confirmed?.Set();
        return TimeSpan.Zero;
    }
}
