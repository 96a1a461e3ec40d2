using EventHubThroughput.Pump.Tracking;

namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>
/// Requests checkpoints by count and time, concurrently with the processing. It waits until one is due, has it written, and waits again. Used when
/// checkpoints are not tied to batch ends.
/// </summary>
internal sealed class CheckpointSchedule : IAsyncDisposable
{
    private readonly EventTracker tracker;
    private readonly CheckpointWriter writer;
    private readonly CheckpointOptions options;
    private readonly TimeProvider timeProvider;
    private readonly WatermarkSignals signals;
    private readonly long lastOfBacklog;
    private readonly ITimer timer;
    private readonly Task running;

    /// <param name="tracker">Has the watermark to store.</param>
    /// <param name="writer">Stores the watermark.</param>
    /// <param name="options">When to store.</param>
    /// <param name="signals">Wakes the schedule when the low watermark has reached the requested position.</param>
    /// <param name="lastOfBacklog">
    /// The last event that waited at the start. After it, no event may follow that makes a checkpoint due, so it is due immediately. Null follows the
    /// partition.
    /// </param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Receives an error that ends the schedule.</param>
    /// <param name="stop">Ends the schedule, and cancels a write under way.</param>
    public CheckpointSchedule(
        EventTracker tracker,
        CheckpointWriter writer,
        CheckpointOptions options,
        WatermarkSignals signals,
        long? lastOfBacklog,
        TimeProvider timeProvider,
        Action<Exception> failed,
        CancellationToken stop
    )
    {
        this.tracker = tracker;
        this.writer = writer;
        this.options = options;
        this.signals = signals;
        this.lastOfBacklog = lastOfBacklog ?? long.MaxValue;
        this.timeProvider = timeProvider;
        timer = timeProvider.CreateTimer(_ => signals.Checkpoint.Set(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        running = RunAsync(failed, stop);
    }

    public async ValueTask DisposeAsync()
    {
        signals.Checkpoint.Close();
        await running;
        await timer.DisposeAsync();
    }

    private async Task RunAsync(Action<Exception> failed, CancellationToken stop)
    {
        // When the first passed and unconfirmed event was seen. Null when everything is confirmed.
        long? oldest = null;
        try
        {
            while (await signals.Checkpoint.WaitAsync(stop))
            {
                while (true)
                {
                    var now = timeProvider.GetTimestamp();
                    var unconfirmed = tracker.Passed - writer.ConfirmedPassed;
                    oldest = unconfirmed > 0 ? oldest ?? now : null;
                    var isThrough = unconfirmed > 0 && tracker.Watermark >= lastOfBacklog;
                    var due = isThrough ? TimeSpan.Zero : options.DueIn(unconfirmed, timeProvider.GetElapsedTime(oldest ?? now, now));
                    if (due != TimeSpan.Zero)
                    {
                        timer.Change(due ?? Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                        if (IsResting(unconfirmed))
                        {
                            break;
                        }

                        continue;
                    }

                    if (await writer.FlushAsync(stop) == FlushResult.OwnershipLost)
                    {
                        return;
                    }

                    // Events that are passed but not stored now were passed after this write began.
                    oldest = now;
                }
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The ownership has ended. Its end writes the last checkpoint if it may write one.
        }
        catch (Exception exception)
        {
            failed(exception);
        }
    }

    // A checkpoint becomes due only after another event is passed. That event starts the clock and the count, or ends the backlog.
    private bool IsResting(long unconfirmed)
    {
        var confirmed = writer.ConfirmedPassed;
        return unconfirmed == 0 ? signals.RestUntil(confirmed + 1, long.MaxValue) : signals.RestUntil(options.DueAt(confirmed), lastOfBacklog);
    }
}
