using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace EventHubThroughput.Telemetry.Otlp;

/// <summary>
/// Sends meters and activities to a collector from threads of its own, in bounded buffers: an endpoint that is down costs what it would have got, and
/// neither waits nor fails of whoever is measured.
/// </summary>
public sealed class OtlpExport : IAsyncDisposable
{
    // At the end of a run, for what has not been sent yet; and for each request.
    private const int LimitMilliseconds = 2000;
    private const int MetricsEachMilliseconds = 2000;
    private const int TracesEachMilliseconds = 500;
    private const int QueuedSpans = 16_384;
    private const int SpansInOneRequest = 2048;

    private readonly List<Func<bool>> shutdowns = [];
    private bool ended;

    private OtlpExport(OtlpOptions options, OtlpResource resource, Action<string> notice)
    {
        var failures = new ExportFailures(options.Endpoint, notice);
        if (options.Signals.HasFlag(OtlpSignals.Metrics))
        {
            var provider = Sdk.CreateMeterProviderBuilder()
                .SetResourceBuilder(resource.Builder)
                .AddMeter([.. resource.Sources])
                .AddReader(
                    new PeriodicExportingMetricReader(
                        new NotedMetricExporter(ExporterOf(options.AddressOf("metrics")), failures),
                        MetricsEachMilliseconds,
                        LimitMilliseconds
                    )
                )
                .Build();
            shutdowns.Add(() => provider.Shutdown(LimitMilliseconds));
        }

        if (options.Signals.HasFlag(OtlpSignals.Traces))
        {
            var provider = Sdk.CreateTracerProviderBuilder()
                .SetResourceBuilder(resource.Builder)
                .AddSource([.. resource.Sources])
                .AddProcessor(
                    new BatchActivityExportProcessor(
                        new NotedTraceExporter(ExporterOf(options.AddressOf("traces")), failures),
                        QueuedSpans,
                        TracesEachMilliseconds,
                        LimitMilliseconds,
                        SpansInOneRequest
                    )
                )
                .Build();
            shutdowns.Add(() => provider.Shutdown(LimitMilliseconds));
        }
    }

    /// <summary>Begins to send. Headers of the collector come from OTEL_EXPORTER_OTLP_HEADERS.</summary>
    /// <param name="options">Where to.</param>
    /// <param name="resource">Whose telemetry it is.</param>
    /// <param name="notice">Told once when the collector does not take something.</param>
    public static OtlpExport Start(OtlpOptions options, OtlpResource resource, Action<string> notice) => new(options, resource, notice);

    /// <summary>Sends what is left, within two seconds.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!ended)
        {
            ended = true;
            await Task.WhenAll(
                    shutdowns.Select(static shutdown =>
                        Task.Factory.StartNew(shutdown, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
                    )
                )
                .ConfigureAwait(false);
        }
    }

    private static OtlpExporterOptions ExporterOf(Uri address) =>
        new()
        {
            Endpoint = address,
            Protocol = OtlpExportProtocol.HttpProtobuf,
            TimeoutMilliseconds = LimitMilliseconds,
        };

    private sealed class NotedMetricExporter(OtlpExporterOptions options, ExportFailures failures) : OtlpMetricExporter(options)
    {
        public override ExportResult Export(in Batch<Metric> metrics) => failures.Note(base.Export(metrics));
    }

    private sealed class NotedTraceExporter(OtlpExporterOptions options, ExportFailures failures) : OtlpTraceExporter(options)
    {
        public override ExportResult Export(in Batch<Activity> activityBatch) => failures.Note(base.Export(activityBatch));
    }

    // One line, whichever signal it was and however often.
    private sealed class ExportFailures(Uri endpoint, Action<string> notice)
    {
        private int told;

        public ExportResult Note(ExportResult result)
        {
            if (result == ExportResult.Failure && Interlocked.Exchange(ref told, 1) == 0)
            {
                notice($"otlp: {endpoint} has not accepted all data. Data that it does not accept is dropped");
            }

            return result;
        }
    }
}
