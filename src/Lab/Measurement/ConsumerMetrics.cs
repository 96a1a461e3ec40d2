using System.Collections.Concurrent;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Telemetry;
using Prometheus;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// Owns every series of the process. The article's five names are kept as they are, for dashboards that quote them. The modern names are beside them and are
/// set from the same measurement. All counters exist at 0 before the first event.
/// </summary>
internal sealed class ConsumerMetrics
{
    // Of writes whose first try did not succeed.
    private static readonly string[] Outcomes = ["retried", "throttled", "unconnected", "exhausted", "failed", "cancelled"];

    private readonly MetricRegistry registry;
    private readonly string strategy;
    private readonly string run;
    private readonly int degree;
    private readonly IReadOnlyList<Stage> sinks;
    private readonly Histogram.Child[] stages;
    private readonly Dictionary<(Stage Sink, string Outcome), Counter.Child> errors = [];
    private readonly ConcurrentDictionary<string, Lazy<PartitionSeries>> partitions = new(StringComparer.Ordinal);

    /// <param name="registry">Holds the series.</param>
    /// <param name="options">The run.</param>
    /// <param name="version">The program's version.</param>
    /// <param name="partitions">Partitions of the event hub.</param>
    /// <param name="measurement">Measures the run.</param>
    /// <param name="timeProvider">The clock.</param>
    public ConsumerMetrics(MetricRegistry registry, RunOptions options, string version, int partitions, RunMeasurement measurement, TimeProvider timeProvider)
    {
        this.registry = registry;
        (strategy, run, degree) = (options.Processing.Strategy.Name, options.Run, options.Processing.MaxConcurrencyInForce);
        sinks = measurement.Section.Stages.Sinks;
        var stagesOfRun = measurement.Section.Stages.All;
        (string, string)[] names = [("strategy", strategy), ("run", run)];
        stages =
        [
            .. stagesOfRun
                .OrderBy(stage => stage.Place)
                .Select(stage =>
                    stage == Stage.Event
                        ? registry.AddHistogram(
                            MetricNames.EventDurationSeconds,
                            "From an event's first write until every sink has it.",
                            HistogramBounds.Durations,
                            names
                        )
                        : registry.AddHistogram(
                            MetricNames.StepDurationSeconds,
                            "One write, one checkpoint, or one wait for the next batch.",
                            HistogramBounds.Durations,
                            [.. names, ("step", stage.Name)]
                        )
                ),
        ];
        registry
            .AddGauge(
                MetricNames.Degree,
                "The upper limit of events in flight per partition (batched: of operations at each sink). 1 where events are taken in turn.",
                names
            )
            .Set(degree);
        registry
            .AddGauge(
                MetricNames.RunInfo,
                "The build and the configuration. The value is always 1.",
                ("run", run),
                ("strategy", strategy),
                ("clients", options.Clients.Name),
                ("degree", $"{degree}"),
                ("batch", $"{options.Processing.BatchSize}"),
                ("partitions", $"{partitions}"),
                ("profile", Path.GetFileName(options.Profile) ?? "service"),
                ("window", $"{options.Processing.Limits.Window}"),
                ("prefetch", $"{options.Processing.Prefetch}"),
                ("version", version)
            )
            .Set(1);
        registry
            .AddGauge(MetricNames.RunStartTimestampSeconds, "When the run began, in Unix seconds.", names)
            .Set(timeProvider.GetUtcNow().ToUnixTimeMilliseconds() / 1000.0);
        registry.AddGaugeCallback(
            MetricNames.RunElapsedSeconds,
            "From the first batch to now, or to the last completion.",
            () => measurement.Elapsed.TotalSeconds,
            names
        );
        AddRate(measurement, names);
        foreach (var sink in measurement.Section.Stages.Sinks)
        {
            Array.ForEach(Outcomes, outcome => errors[(sink, outcome)] = Errors(sink, outcome));
        }
    }

    /// <summary>The current values of two gauges over all partitions: events in flight, and events received but not stored as complete.</summary>
    public (long InFlight, long Lag) Load
    {
        get
        {
            var series = partitions.Values.Select(static partition => partition.Value).ToList();
            return (series.Sum(static one => one.Load?.InFlight ?? 0L), series.Sum(static one => (long)one.Lag.Value));
        }
    }

    /// <summary>The series of every partition that has any.</summary>
    public IEnumerable<(string Partition, PartitionSeries Series)> Partitions => partitions.Select(static entry => (entry.Key, entry.Value.Value));

    /// <summary>Writes whose first try did not succeed, by sink and by outcome.</summary>
    public IEnumerable<(string Sink, string Outcome, double Count)> ErrorCounts =>
        errors.Select(static entry => (entry.Key.Sink.Name, entry.Key.Outcome, entry.Value.Value));

    /// <summary>The series of one partition. Every call returns the same ones.</summary>
    public PartitionSeries ForPartition(string partition) => partitions.GetOrAdd(partition, name => new Lazy<PartitionSeries>(() => Create(name))).Value;

    public void Record(Stage stage, TimeSpan elapsed) => stages[stage.Place].Observe(elapsed.TotalSeconds);

    /// <summary>Counts a write whose first try did not succeed.</summary>
    public void CountError(Stage stage, string outcome) => errors[(stage, outcome)].Inc();

    /// <summary>Publishes how many events a sink had already, because they were delivered before.</summary>
    public void WatchRedelivered(Func<double> count) =>
        registry.AddCounterCallback(
            MetricNames.Redelivered,
            "Events whose blob already existed with the same bytes.",
            count,
            ("strategy", strategy),
            ("run", run)
        );

    /// <summary>Publishes how many events are held because a write of them keeps failing.</summary>
    public void WatchBlocked(Func<double> count) =>
        registry.AddGaugeCallback(MetricNames.BlockedEvents, "Events blocked because a write keeps failing.", count, ("strategy", strategy), ("run", run));

    /// <summary>Sets the verdict on the run.</summary>
    public void SetVerdict(string verdict) =>
        registry.AddGauge(MetricNames.RunVerdict, "The verdict of the run. The value is always 1.", ("run", run), ("verdict", verdict)).Set(1);

    // Two numbers of one reading. If they were set one by one, a scrape between them would see a wrong rate.
    private void AddRate(RunMeasurement measurement, (string, string)[] names)
    {
        var events = registry.AddGauge(
            MetricNames.MeasuredEvents,
            "Events complete since the warm-up, 0 before its end, without the tail of a run over several partitions.",
            names
        );
        var seconds = registry.AddGauge(
            MetricNames.MeasuredSeconds,
            "Time from the end of the warm-up to now, to the last completion or to the tail. eventhub_measured_events divided by it is the rate of the run.",
            names
        );
        registry.BeforeScrape(() =>
        {
            var measured = measurement.Measured;
            events.Set(measured.Events);
            seconds.Set(measured.Time.TotalSeconds);
        });
    }

    private PartitionSeries Create(string partition)
    {
        (string, string)[] names = [("strategy", strategy), ("partition", partition), ("run", run)];
        var series = new PartitionSeries
        {
            Total = registry.AddGauge(MetricNames.TotalStopwatch, "Time per event of the last batch, in milliseconds.", names),
            Sinks = [.. sinks.Select(sink => Stopwatch(sink, names))],
            Checkpoint = registry.AddGauge(MetricNames.CheckpointStopwatch, "The last checkpoint per event that it covers, in milliseconds.", names),
            LegacyProcessed = registry.AddCounter(MetricNames.ProcessedMessageCounter, "Events that every sink has.", names),
            Processed = registry.AddCounter(MetricNames.EventsProcessed, "Events that every sink has.", names),
            DeadLettered = registry.AddCounter(MetricNames.DeadLettered, "Events stored among the dead letters.", names),
            OutOfOrder = registry.AddCounter(MetricNames.OutOfOrder, "Events complete before an earlier one of their partition.", names),
            CheckpointsStored = Checkpoints("stored", names),
            CheckpointsFailed = Checkpoints("failed", names),
            LagSeconds = registry.AddGauge(
                MetricNames.LagSeconds,
                "Age of the newest event that the low watermark has passed, from its enqueued time to its completion.",
                names
            ),
            Degree = registry.AddGauge(
                MetricNames.DegreeInForce,
                "The current limit of events in flight. It changes where a strategy adapts its degree.",
                names
            ),
            Owned = registry.AddGauge(MetricNames.PartitionOwned, "1 while this consumer has the partition, else 0.", names),
            Lag = registry.AddGauge(MetricNames.LagEvents, "Events in the partition and not stored as complete.", names),
        };
        series.Degree.Set(degree);
        registry.AddGaugeCallback(MetricNames.EventsInFlight, "Events started and not finished.", () => series.Load?.InFlight ?? 0, names);
        registry.AddGaugeCallback(
            MetricNames.WatermarkGapEvents,
            "Events delivered that the low watermark has not passed.",
            () => series.Load?.Outstanding ?? 0,
            names
        );
        return series;
    }

    // The article's two stopwatches. Its dashboards show only these.
    private Gauge.Child? Stopwatch(Stage sink, (string, string)[] names) =>
        sink.Name switch
        {
            ServiceBusSink.SinkName => registry.AddGauge(MetricNames.ServiceBusStopwatch, "The last Service Bus write, in milliseconds.", names),
            BlobSink.SinkName => registry.AddGauge(MetricNames.BlobStorageStopwatch, "The last blob write, in milliseconds.", names),
            _ => null,
        };

    private Counter.Child Errors(Stage stage, string outcome) =>
        registry.AddCounter(
            MetricNames.EventErrors,
            "Failed attempts, by outcome.",
            ("strategy", strategy),
            ("run", run),
            ("step", stage.Name),
            ("outcome", outcome)
        );

    private Counter.Child Checkpoints(string outcome, (string, string)[] names) =>
        registry.AddCounter(MetricNames.Checkpoints, "Attempts to store a checkpoint.", [.. names, ("outcome", outcome)]);
}

/// <summary>The series of one partition, found once.</summary>
internal sealed class PartitionSeries
{
    private volatile IPartitionLoad? load;

    public required Gauge.Child Total { get; init; }

    /// <summary>By place. Null for a sink that the article did not have.</summary>
    public required Gauge.Child?[] Sinks { get; init; }

    public required Gauge.Child Checkpoint { get; init; }

    public required Counter.Child LegacyProcessed { get; init; }

    public required Counter.Child Processed { get; init; }

    public required Counter.Child DeadLettered { get; init; }

    public required Counter.Child OutOfOrder { get; init; }

    public required Counter.Child CheckpointsStored { get; init; }

    public required Counter.Child CheckpointsFailed { get; init; }

    public required Gauge.Child Degree { get; init; }

    public required Gauge.Child Owned { get; init; }

    public required Gauge.Child Lag { get; init; }

    public required Gauge.Child LagSeconds { get; init; }

    /// <summary>The load of the newest ownership. Read at each scrape.</summary>
    public IPartitionLoad? Load
    {
        get => load;
        set => load = value;
    }
}
