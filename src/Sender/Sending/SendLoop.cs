using EventHubThroughput.Sender.Input;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Sending;

/// <summary>
/// Stamps the events of a source and hands each over at its scheduled send time. The schedule does not wait for replies (open loop) as long as there is room. A
/// delay shows as the difference between intended and actual time.
/// </summary>
/// <param name="start">Creates the object that sends the events.</param>
/// <param name="options">The run and its schedule.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="telemetry">Creates a trace for each event. Null creates none.</param>
internal sealed class SendLoop(Func<SendHalt, ISending> start, SendOptions options, TimeProvider timeProvider, SendTelemetry? telemetry = null)
{
    private readonly EventStamper stamper = new(options.Run, telemetry is null ? null : telemetry.Traced);

    /// <summary>
    /// Sends until the source is empty or <paramref name="stop"/> is cancelled. Returns when nothing is in flight. Throws the exception that made the sending
    /// fail.
    /// </summary>
    public async Task RunAsync(IEventSource source, CancellationToken stop)
    {
        using var halt = new SendHalt(options.Grace, timeProvider, stop);
        var sending = start(halt);
        try
        {
            await FillAsync(source, sending, halt.Stop);
        }
        catch (OperationCanceledException) when (halt.Stop.IsCancellationRequested)
        {
            // Stopped by a signal, or by a failure that is thrown below.
        }
        catch
        {
            halt.Fail();
            throw;
        }
        finally
        {
            await sending.EndAsync();
        }
    }

    private async Task FillAsync(IEventSource source, ISending sending, CancellationToken stop)
    {
        var schedule = new SendSchedule(options.Rates);
        var beginning = timeProvider.GetUtcNow();
        var began = timeProvider.GetTimestamp();
        long index = 0;
        foreach (var sourceEvent in source.Read())
        {
            stop.ThrowIfCancellationRequested();
            if (schedule.GetOffset(index) is { } offset && offset - timeProvider.GetElapsedTime(began) is var wait && wait > TimeSpan.Zero)
            {
                await Task.Delay(wait, timeProvider, stop);
            }

            await sending.AddAsync(stamper.Stamp(sourceEvent, schedule.IntendedAt(index, beginning, timeProvider.GetUtcNow())), stop);
            index++;
        }
    }
}
