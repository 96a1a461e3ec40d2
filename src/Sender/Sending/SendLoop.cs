using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Sender.Input;

namespace EventHubThroughput.Sender.Sending;

/// <summary>
/// Stamps a source's events and hands each to the lane of its key at its intended time. The schedule does not wait for replies
/// (open loop) as long as the lanes have room; what it falls behind shows as the difference of intended and actual time.
/// </summary>
internal sealed class SendLoop(IEventHubWriter writer, LedgerRecorder recorder, SendOptions options, TimeProvider timeProvider)
{
    // Every key's lane, by the order in which the keys appear, and how many of its events have been stamped.
    private readonly Dictionary<string, (int Lane, long Count)> keys = new(StringComparer.Ordinal);
    private long keylessCount;

    /// <summary>
    /// Sends until the source is empty or <paramref name="stop"/> is cancelled, and returns when nothing is in flight. Throws what
    /// ended a lane.
    /// </summary>
    public async Task RunAsync(IEventSource source, CancellationToken stop)
    {
        using var abort = new CancellationTokenSource();
        // A lane that fails stops the others as a signal would.
        using var halt = CancellationTokenSource.CreateLinkedTokenSource(stop);
        using var grace = timeProvider.CreateTimer(_ => abort.Cancel(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        using var starting = halt.Token.Register(() => grace.Change(options.Grace, Timeout.InfiniteTimeSpan));

        var lanes = new SendLane[options.Lanes];
        var running = new Task[lanes.Length];
        for (var i = 0; i < lanes.Length; i++)
        {
            lanes[i] = new SendLane(writer, recorder, options.Batch, timeProvider);
            running[i] = RunLaneAsync(lanes[i], halt.Cancel, halt.Token, abort.Token);
        }

        try
        {
            await FillAsync(source, lanes, halt.Token);
        }
        catch (OperationCanceledException) when (halt.IsCancellationRequested)
        {
            // Stopped by a signal, or by a lane whose failure is thrown below.
        }
        catch
        {
            await halt.CancelAsync();
            throw;
        }
        finally
        {
            Array.ForEach(lanes, lane => lane.Complete());
            await Task.WhenAll(running);
        }
    }

    private static async Task RunLaneAsync(SendLane lane, Action haltAll, CancellationToken halt, CancellationToken abort)
    {
        try
        {
            await lane.RunAsync(halt, abort);
        }
        catch (OperationCanceledException) when (abort.IsCancellationRequested)
        {
            // The grace is over; the ledger has the outcome as unknown.
        }
        catch
        {
            haltAll();
            throw;
        }
    }

    private async Task FillAsync(IEventSource source, SendLane[] lanes, CancellationToken stop)
    {
        var schedule = new SendSchedule(options.Rate);
        var start = timeProvider.GetUtcNow();
        var began = timeProvider.GetTimestamp();
        long index = 0;
        foreach (var sourceEvent in source.Read())
        {
            stop.ThrowIfCancellationRequested();
            if (schedule.OffsetOf(index) is { } offset && offset - timeProvider.GetElapsedTime(began) is var wait && wait > TimeSpan.Zero)
            {
                await Task.Delay(wait, timeProvider, stop);
            }

            var (lane, keyIndex) = Place(sourceEvent.Key);
            var pending = Stamp(sourceEvent, index, keyIndex, schedule.IntendedAt(index, start, timeProvider.GetUtcNow()));
            await lanes[lane].AddAsync(pending, stop);
            index++;
        }
    }

    private PendingEvent Stamp(SourceEvent sourceEvent, long index, long keyIndex, DateTimeOffset intended)
    {
        var stamp = EventStamp.Of(options.Run, index, keyIndex, sourceEvent.Body.Span, intended);
        var outgoing = new OutgoingEvent
        {
            Body = sourceEvent.Body, ContentType = sourceEvent.ContentType, Properties = stamp.ToProperties(),
        };
        return new PendingEvent(outgoing, stamp, sourceEvent.Key);
    }

    private (int Lane, long KeyIndex) Place(string? key)
    {
        if (key is null)
        {
            // Events without a key take turns by batches, so that a batch is full although there are several lanes.
            var turn = keylessCount / options.Batch % options.Lanes;
            return ((int)turn, keylessCount++);
        }

        var (lane, count) = keys.TryGetValue(key, out var known) ? known : (keys.Count % options.Lanes, 0);
        keys[key] = (lane, count + 1);
        return (lane, count);
    }
}
