using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Measurement;

/// <summary>
/// Where one incarnation's times and outcomes go: to the run's measurement and to the metrics, from one call. Nothing here
/// allocates in the steady state.
/// </summary>
internal sealed class PartitionMeters
{
    private readonly RunMeasurement measurement;
    private readonly ConsumerMetrics metrics;
    private readonly PartitionSeries series;

    // Touched by the checkpoint writer only, one write at a time.
    private long confirmed;
    private long finished;

    public PartitionMeters(string partition, RunMeasurement measurement, ConsumerMetrics metrics, LowWatermark watermark)
    {
        this.measurement = measurement;
        this.metrics = metrics;
        series = metrics.ForPartition(partition);
        series.Watermark = watermark;
    }

    /// <summary>Events counted as complete or as dead letters.</summary>
    public long Finished => Interlocked.Read(ref finished);

    /// <param name="batch">The batch that is there now.</param>
    /// <param name="waited">How long it was waited for; null for the first one.</param>
    public void BatchStarted(EventBatch batch, TimeSpan? waited)
    {
        measurement.BatchStarted();
        if (waited is { } wait)
        {
            Record(Stage.Receive, wait);
        }
    }

    /// <summary>The batch is written, and its checkpoint stored when there is one at each batch end.</summary>
    public void BatchEnded(int events, TimeSpan elapsed)
    {
        series.Total.Set(elapsed.TotalMilliseconds / events);
        measurement.BatchEnded(events);
    }

    public void Written(Stage stage, TimeSpan elapsed)
    {
        series.Sinks[(int)stage].Set(elapsed.TotalMilliseconds);
        Record(stage, elapsed);
    }

    /// <summary>Every sink has the event.</summary>
    /// <param name="elapsed">Since its first write began.</param>
    /// <param name="inOrder">Whether every earlier event was complete before it.</param>
    public void Completed(TimeSpan elapsed, bool inOrder)
    {
        if (!inOrder)
        {
            series.OutOfOrder.Add(1);
        }

        Interlocked.Increment(ref finished);
        Record(Stage.Event, elapsed);
        measurement.EventCompleted();
        series.LegacyProcessed.Add(1);
        series.Processed.Add(1);
    }

    /// <summary>The event is stored among the dead letters.</summary>
    /// <param name="inOrder">Whether every earlier event was complete before it.</param>
    public void DeadLettered(bool inOrder)
    {
        if (!inOrder)
        {
            series.OutOfOrder.Add(1);
        }

        Interlocked.Increment(ref finished);
        measurement.EventDeadLettered();
        series.DeadLettered.Add(1);
    }

    /// <summary>A completion came after its incarnation was over, and was dropped.</summary>
    public void CompletedLate() => measurement.CompletedLate();

    public void WriteRetried(Stage stage, FailureKind kind)
    {
        measurement.Retried();
        metrics.CountError(
            stage,
            kind switch
            {
                FailureKind.Throttled => "throttled",
                FailureKind.Unconnected => "unconnected",
                _ => "retried",
            }
        );
    }

    public void WriteFailed(Stage stage, FailureKind kind) =>
        metrics.CountError(stage, kind is FailureKind.Transient or FailureKind.Throttled ? "exhausted" : "failed");

    public void WriteCut(Stage stage) => metrics.CountError(stage, "cancelled");

    public void Checkpointed(CheckpointAttempt attempt)
    {
        if (!attempt.Stored)
        {
            series.CheckpointsFailed.Add(1);
            return;
        }

        series.CheckpointsStored.Add(1);
        series.Checkpoint.Set(attempt.Elapsed.TotalMilliseconds / Math.Max(1, attempt.Reading.Passed - confirmed));
        confirmed = attempt.Reading.Passed;
        Record(Stage.Checkpoint, attempt.Elapsed);
    }

    private void Record(Stage stage, TimeSpan elapsed)
    {
        measurement.Record(stage, elapsed);
        metrics.Record(stage, elapsed);
    }
}
