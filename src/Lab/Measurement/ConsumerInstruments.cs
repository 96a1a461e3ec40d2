using System.Diagnostics.Metrics;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The series of a run that have no name among OpenTelemetry's conventions, as instruments for any listener. They are read from the series when they are
/// collected. So recording costs nothing more, and both report the same.
/// </summary>
internal sealed class ConsumerInstruments : IDisposable
{
    /// <summary>The name of the meter.</summary>
    public const string Name = "EventHubThroughput.Consumer";

    private readonly Meter meter = new(Name);

    public ConsumerInstruments(ConsumerMetrics metrics, RunMeasurement measurement)
    {
        meter.CreateObservableUpDownCounter(
            "eventhub.events.in_flight",
            () => Each(metrics, static series => series.Load?.InFlight ?? 0),
            "{event}",
            "Events started and not finished."
        );
        meter.CreateObservableGauge(
            "eventhub.lag",
            () => Each(metrics, static series => (long)series.Lag.Value),
            "{event}",
            "Events in the partition and not stored as complete."
        );
        meter.CreateObservableGauge(
            "eventhub.watermark.gap",
            () => Each(metrics, static series => series.Load?.Outstanding ?? 0),
            "{event}",
            "Events delivered that the low watermark has not passed."
        );
        meter.CreateObservableCounter(
            "eventhub.events.out_of_order",
            () => Each(metrics, static series => (long)series.OutOfOrder.Value),
            "{event}",
            "Events complete before an earlier one of their partition."
        );
        meter.CreateObservableCounter("eventhub.checkpoints", () => Checkpoints(metrics), "{checkpoint}", "Attempts to store a checkpoint.");
        meter.CreateObservableCounter("eventhub.write.errors", () => Errors(metrics), "{attempt}", "Failed attempts, by outcome.");
        meter.CreateObservableGauge(
            "eventhub.measured.events",
            () => measurement.Measured.Events,
            "{event}",
            "Events complete since the warm-up. Divided by eventhub.measured.time it is the rate of the run."
        );
        meter.CreateObservableGauge("eventhub.measured.time", () => measurement.Measured.Time.TotalSeconds, "s", "The time of the measured events.");
    }

    public void Dispose() => meter.Dispose();

    private static IEnumerable<Measurement<long>> Each(ConsumerMetrics metrics, Func<PartitionSeries, long> read) =>
        metrics.Partitions.Select(entry => new Measurement<long>(read(entry.Series), Partition(entry.Partition)));

    private static IEnumerable<Measurement<long>> Checkpoints(ConsumerMetrics metrics) =>
        metrics.Partitions.SelectMany(static entry =>
            new[]
            {
                new Measurement<long>((long)entry.Series.CheckpointsStored.Value, Partition(entry.Partition), new("outcome", "stored")),
                new Measurement<long>((long)entry.Series.CheckpointsFailed.Value, Partition(entry.Partition), new("outcome", "failed")),
            }
        );

    private static IEnumerable<Measurement<long>> Errors(ConsumerMetrics metrics) =>
        metrics.ErrorCounts.Select(static error => new Measurement<long>((long)error.Count, new("eventhub.sink", error.Sink), new("outcome", error.Outcome)));

    private static KeyValuePair<string, object?> Partition(string id) => new("messaging.destination.partition.id", id);
}
