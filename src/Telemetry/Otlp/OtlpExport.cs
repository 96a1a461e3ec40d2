using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace EventHubThroughput.Telemetry.Otlp;

/// <summary>
/// Sends meters and activities to a collector from separate threads, in bounded buffers. An unavailable endpoint loses its data, and neither delays nor fails
/// the measured code.
/// </summary>
public sealed class OtlpExport : IAsyncDisposable
{
    // For the data that is not sent yet at the end of a run, and for each request.
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
                        new NotedMetricExporter(GetExporter(options.GetAddress("metrics")), failures),
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
                        new NotedTraceExporter(GetExporter(options.GetAddress("traces")), failures),
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
    /// <param name="options">The endpoint and the signals.</param>
    /// <param name="resource">The source of the telemetry.</param>
    /// <param name="notice">Called once when the collector refuses data.</param>
    public static OtlpExport Start(OtlpOptions options, OtlpResource resource, Action<string> notice) => new(options, resource, notice);

    /// <summary>Sends the rest, within two seconds.</summary>
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

    private static OtlpExporterOptions GetExporter(Uri address) =>
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

    // One line for all signals and any number of failures.
    private sealed class ExportFailures(Uri endpoint, Action<string> notice)
    {
        private int reported;

        public ExportResult Note(ExportResult result)
        {
            if (result == ExportResult.Failure && Interlocked.Exchange(ref reported, 1) == 0)
            {
                notice($"otlp: {endpoint} has not accepted all data. Data that it does not accept is dropped");
            }

            return result;
        }
    }
}
