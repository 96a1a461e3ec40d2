using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>How a request to store the watermark ended.</summary>
internal enum FlushResult
{
    /// <summary>The watermark of the moment of the request, or a newer one, is stored.</summary>
    Confirmed,

    /// <summary>Another writer has the partition: nothing is stored any more.</summary>
    OwnershipLost,
}

/// <summary>
/// Stores the watermark of one partition: one write at a time, requests that come meanwhile coalesce to the newest position,
/// positions strictly increase. A failed write keeps its place and is tried again, always with the newest position.
/// </summary>
/// <param name="tracker">Has the watermark.</param>
/// <param name="store">Stores a position.</param>
/// <param name="retry">The pauses after failed attempts.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class CheckpointWriter(EventTracker tracker, Func<EventPosition, CancellationToken, Task> store, RetryRule retry, TimeProvider timeProvider)
{
    private readonly SharedLimit oneAtATime = new(1);

    // Written by whoever holds the lock only.
    private long confirmedPassed;
    private volatile bool stopped;

    /// <summary>Told of each attempt, one at a time.</summary>
    public PartitionObserver[] Observers { get; init; } = [];

    /// <summary>Checks a position that is about to be stored. Throwing keeps it from being stored. Called under the lock of the tracker: be quick.</summary>
    public Action<EventPosition>? Check { get; init; }

    /// <summary>Logs a failed attempt, which is repeated.</summary>
    public Action<MessagingException>? LogFailure { get; init; }

    /// <summary>Set when the confirmed position has moved.</summary>
    public WakeSignal? Confirmed { get; init; }

    /// <summary>How many events of this ownership lie at or below the position confirmed last.</summary>
    public long ConfirmedPassed => Interlocked.Read(ref confirmedPassed);

    /// <summary>Stores the watermark unless that is done already. Returns when it is confirmed.</summary>
    /// <exception cref="MessagingException">The store is missing, refuses or is out of reach: trying again is of no use.</exception>
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

    /// <summary>Stores nothing from now on. A write under way is its caller's to cut.</summary>
    public void Stop() => stopped = true;

    // Gives the least wait that the store asks for before another try.
    private async Task<TimeSpan> TryStoreAsync(CancellationToken cancellationToken)
    {
        // Read at the last moment: what completed during a failed write goes with the next one.
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

        // In this order: nothing is handed over for the sake of a checkpoint that an observer does not know of.
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
