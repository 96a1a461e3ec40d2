using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Processing;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.Lab.Running;

/// <summary>What a run sends to a collector. It exists only if a collector is configured, and costs nothing otherwise.</summary>
internal sealed class RunTelemetry : IAsyncDisposable
{
    private readonly ProcessingTelemetry processing;
    private readonly OtlpExport export;
    private ConsumerInstruments? instruments;

    private RunTelemetry(RunOptions options, OtlpOptions collector, MessagingSettings settings, Action<string> notice)
    {
        export = OtlpExport.Start(collector, GetResource(options), notice);
        processing = new ProcessingTelemetry(settings);
    }

    /// <summary>Begins to send. Null when no collector is configured.</summary>
    public static RunTelemetry? Start(RunOptions options, MessagingSettings settings, Action<string> notice) =>
        options.Outputs.Otlp is { } collector ? new RunTelemetry(options, collector, settings, notice) : null;

    /// <summary>Sends the series of a run as well.</summary>
    public void Watch(ConsumerMetrics metrics, RunMeasurement measurement) => instruments = new ConsumerInstruments(metrics, measurement);

    public IReadOnlyList<PartitionObserver> ObserversOf(string partition) => processing.ObserversOf(partition);

    public SinkDescriptor Trace(SinkDescriptor sink) => processing.Trace(sink);

    /// <summary>Sends what is left, within two seconds.</summary>
    public async ValueTask DisposeAsync()
    {
        await export.DisposeAsync();
        instruments?.Dispose();
        processing.Dispose();
    }

    private static OtlpResource GetResource(RunOptions options) =>
        new("eventhub-consumer", ProgramVersion.Text, options.Run)
        {
            Sources = [ProcessingTelemetry.Name, ConsumerInstruments.Name],
            Attributes = new Dictionary<string, object>(StringComparer.Ordinal)
            {
                ["eventhub.run"] = options.Run,
                ["eventhub.strategy"] = options.Processing.Strategy.Name,
                ["eventhub.degree"] = options.Processing.MaxConcurrencyInForce,
                ["eventhub.batch"] = options.Processing.BatchSize,
            },
        };
}
