using System.Threading.Channels;

namespace EventHubThroughput.Consumer.Checkpointing;

/// <summary>
/// Asks for checkpoints by count and time, beside the processing: waits until the policy says that one is due, has it written,
/// and waits again. Used when checkpoints are not tied to batch ends.
/// </summary>
internal sealed class CheckpointSchedule : IAsyncDisposable
{
    private readonly LowWatermark watermark;
    private readonly CheckpointWriter writer;
    private readonly CheckpointPolicy policy;
    private readonly TimeProvider timeProvider;
    private readonly Channel<bool> wake = Channel.CreateBounded<bool>(1);
    private readonly ITimer timer;
    private readonly Task running;

    /// <param name="watermark">What is stored.</param>
    /// <param name="writer">Who stores it.</param>
    /// <param name="policy">When.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Told of an error that ends the schedule.</param>
    /// <param name="stop">Ends the schedule, and cuts a write under way.</param>
    public CheckpointSchedule(
        LowWatermark watermark,
        CheckpointWriter writer,
        CheckpointPolicy policy,
        TimeProvider timeProvider,
        Action<Exception> failed,
        CancellationToken stop
    )
    {
        this.watermark = watermark;
        this.writer = writer;
        this.policy = policy;
        this.timeProvider = timeProvider;
        timer = timeProvider.CreateTimer(_ => wake.Writer.TryWrite(true), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        running = RunAsync(failed, stop);
    }

    /// <summary>The watermark has moved. Cheap, and free of allocation: called for every completion.</summary>
    public void Advanced() => wake.Writer.TryWrite(true);

    public async ValueTask DisposeAsync()
    {
        wake.Writer.TryComplete();
        await running;
        await timer.DisposeAsync();
    }

    private async Task RunAsync(Action<Exception> failed, CancellationToken stop)
    {
        // The first passed and unconfirmed event was seen at this time; null when everything is confirmed.
        long? oldest = null;
        try
        {
            while (await wake.Reader.WaitToReadAsync(stop))
            {
                wake.Reader.TryRead(out _);
                while (true)
                {
                    var now = timeProvider.GetTimestamp();
                    var unconfirmed = (watermark.Read()?.Passed ?? 0) - writer.ConfirmedPassed;
                    oldest = unconfirmed > 0 ? oldest ?? now : null;
                    var due = policy.DueIn(unconfirmed, oldest ?? now);
                    if (due != TimeSpan.Zero)
                    {
                        timer.Change(due ?? Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                        break;
                    }

                    if (await writer.FlushAsync(stop) == FlushResult.OwnershipLost)
                    {
                        return;
                    }

                    // What is passed but not stored now was passed after this write began.
                    oldest = now;
                }
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The incarnation is over; its end writes the last checkpoint if there may be one.
        }
        catch (Exception exception)
        {
            failed(exception);
        }
    }
}
