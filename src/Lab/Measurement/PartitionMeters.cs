using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// Writes the times and outcomes of one ownership to the run's measurement and to the metrics, in one call. Nothing here
/// allocates in the steady state.
/// </summary>
/// <param name="partition">The partition.</param>
/// <param name="measurement">The run's measurement.</param>
/// <param name="metrics">The run's series.</param>
/// <param name="timeProvider">The clock that enqueued times are compared with.</param>
/// <param name="lastWaiting">
/// The last event that waits in the partition while others have events as well. With it the partition has run dry. Null watches for none.
/// </param>
internal sealed class PartitionMeters(
    string partition,
    RunMeasurement measurement,
    ConsumerMetrics metrics,
    TimeProvider timeProvider,
    long? lastWaiting = null
) : PartitionObserver
{
    private readonly PartitionSeries series = metrics.ForPartition(partition);
    private readonly IReadOnlyList<Stage> sinks = measurement.Section.Stages.Sinks;
    private readonly EventsInFlight events = new();
    private readonly KeysInFlight keys = new();
    private long finished;

    /// <summary>Events counted as complete or as dead letters.</summary>
    public override long? Completions => Interlocked.Read(ref finished);

    public override void Opened(IPartitionLoad load, EventPosition? startedFrom)
    {
        series.Load = load;
        series.Owned.Set(1);
    }

    public override void Closed(bool lost) => series.Owned.Set(0);

    public override void BatchReceived(int events, TimeSpan? waited)
    {
        measurement.BatchReceived(events);
        if (waited is { } wait)
        {
            Record(Stage.Receive, wait);
        }
    }

    public override void WaitedForRoom(TimeSpan elapsed) => Record(Stage.Window, elapsed);

    public override void BatchEnded(int events, TimeSpan elapsed)
    {
        series.Total.Set(elapsed.TotalMilliseconds / events);
        measurement.Recorded.BatchEnded(elapsed);
    }

    public override void Begun(EventSlot receivedEvent, int inFlight)
    {
        measurement.EventBegun(inFlight);
        var (now, section) = (timeProvider.GetTimestamp(), measurement.Recorded);
        events.Begun(inFlight, now, section);
        if (receivedEvent.Key is { } key)
        {
            keys.Begun(key, now, section);
        }
    }

    public override void Acknowledged(long sequence, int sink, TimeSpan elapsed)
    {
        series.Sinks[sink]?.Set(elapsed.TotalMilliseconds);
        Record(sinks[sink], elapsed);
    }

    public override void Completed(in EventCompletion completion)
    {
        if (completion.Passed == 0)
        {
            series.OutOfOrder.Inc();
        }

        Interlocked.Increment(ref finished);
        var (now, section) = (timeProvider.GetTimestamp(), measurement.Recorded);
        events.Completed(now, section);
        if (completion.Event.Key is { } key)
        {
            keys.Completed(key, now, section);
        }

        if (completion.DeadLettered)
        {
            measurement.EventDeadLettered();
            series.DeadLettered.Inc();
        }
        else
        {
            Record(Stage.Event, completion.Elapsed);
            measurement.EventCompleted(RecordEndToEnd(completion));
            series.LegacyProcessed.Inc();
            series.Processed.Inc();
        }

        if (completion.Watermark >= lastWaiting)
        {
            measurement.PartitionRanDry();
        }
    }

    public override void ConcurrencyChanged(int degree)
    {
        measurement.DegreeChanged(partition, degree);
        series.Degree.Set(degree);
    }

    public override void CompletedLate() => measurement.CompletedLate();

    public override void TryFailed(int sink, MessagingException failure, AfterFailure next)
    {
        measurement.AtSink(sink).TryFailed(failure, next);
        metrics.CountError(sinks[sink], GetOutcome(failure.Kind, next));
    }

    public override void WriteCut(int sink)
    {
        measurement.AtSink(sink).WriteCut();
        metrics.CountError(sinks[sink], "cancelled");
    }

    public override void CheckpointFailed(TimeSpan elapsed) => series.CheckpointsFailed.Inc();

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed)
    {
        series.CheckpointsStored.Inc();
        series.Checkpoint.Set(elapsed.TotalMilliseconds / Math.Max(1, events));
        Record(Stage.Checkpoint, elapsed);
    }

    private static string GetOutcome(FailureKind kind, AfterFailure next) =>
        (next, kind) switch
        {
            (AfterFailure.TriedAgain, FailureKind.Throttled) => "throttled",
            (AfterFailure.TriedAgain, FailureKind.Unconnected) => "unconnected",
            (AfterFailure.TriedAgain, _) => "retried",
            (_, FailureKind.Transient or FailureKind.Throttled) => "exhausted",
            _ => "failed",
        };

    // The clocks of several machines differ: a negative time is recorded as 0.
    private TimeSpan RecordEndToEnd(in EventCompletion completion)
    {
        var (now, received) = (timeProvider.GetUtcNow(), (ReceivedEvent)completion.Event);
        var between = now - (EventStamp.GetIntended(received.EncodedProperties.Span) ?? received.EnqueuedTime);
        var since = between > TimeSpan.Zero ? between : TimeSpan.Zero;
        Record(Stage.EndToEnd, since);
        if (completion.Passed > 0)
        {
            var behind = now - received.EnqueuedTime;
            series.LagSeconds.Set(behind > TimeSpan.Zero ? behind.TotalSeconds : 0);
        }

        return since;
    }

    private void Record(Stage stage, TimeSpan elapsed)
    {
        measurement.Record(stage, elapsed);
        metrics.Record(stage, elapsed);
    }
}
