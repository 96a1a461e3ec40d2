using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Checkpointing;

/// <summary>How a request to store the watermark ended.</summary>
internal enum FlushResult
{
    /// <summary>The watermark of the moment of the request, or a newer one, is stored.</summary>
    Confirmed,

    /// <summary>Another writer has the partition: nothing is stored any more.</summary>
    OwnershipLost,
}

/// <summary>One attempt to store a position.</summary>
internal readonly record struct CheckpointAttempt(WatermarkReading Reading, TimeSpan Elapsed, bool Stored);

/// <summary>
/// Stores the watermark of one partition: one write at a time, requests that come meanwhile coalesce to the newest position,
/// positions strictly increase. A failed write keeps its place and is tried again, always with the newest position.
/// </summary>
internal sealed class CheckpointWriter(
    LowWatermark watermark,
    Func<EventPosition, CancellationToken, Task> store,
    RetryRule retry,
    TimeProvider timeProvider,
    Action<CheckpointAttempt> attempted,
    Action<EventPosition>? check = null
)
{
    private readonly Turnstile oneAtATime = new();

    // Written by whoever is through the turnstile only.
    private long confirmedPassed;
    private volatile bool stopped;

    /// <summary>How many events of this incarnation lie at or below the position confirmed last.</summary>
    public long ConfirmedPassed => Interlocked.Read(ref confirmedPassed);

    /// <summary>Stores the watermark unless that is done already; returns when it is confirmed.</summary>
    /// <exception cref="MessagingException">The store is missing, refuses or is out of reach: trying again is of no use.</exception>
    public async Task<FlushResult> FlushAsync(CancellationToken cancellationToken)
    {
        var wanted = watermark.Read()?.Passed ?? 0;
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

    /// <summary>Stores nothing from now on; a write under way is its caller's to cut.</summary>
    public void Stop() => stopped = true;

    // Gives the least wait that the store asks for before another try.
    private async Task<TimeSpan> TryStoreAsync(CancellationToken cancellationToken)
    {
        // Read at the last moment: what completed during a failed write goes with the next one.
        var reading = watermark.Read()!.Value;
        check?.Invoke(reading.Position);
        var started = timeProvider.GetTimestamp();
        try
        {
            await store(reading.Position, cancellationToken);
        }
        catch (MessagingException failure) when (failure.IsTransient)
        {
            attempted(new CheckpointAttempt(reading, timeProvider.GetElapsedTime(started), Stored: false));
            return failure.RetryAfter;
        }
        catch (MessagingException failure) when (failure.Kind == FailureKind.OwnershipLost)
        {
            stopped = true;
            return TimeSpan.Zero;
        }

        Interlocked.Exchange(ref confirmedPassed, reading.Passed);
        attempted(new CheckpointAttempt(reading, timeProvider.GetElapsedTime(started), Stored: true));
        return TimeSpan.Zero;
    }
}
