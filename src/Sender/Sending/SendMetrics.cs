using System.Net;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Telemetry.Serving;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Where a sender serves its metrics, and where it registers itself for Prometheus.</summary>
/// <param name="Port">The port, 0 for any free one.</param>
/// <param name="Targets">The folder that Prometheus reads its targets from.</param>
internal sealed record SendMetricsOptions(int Port, string Targets);

/// <summary>Serves the metrics of a sender to Prometheus. Every series is read from the counters when it is scraped.</summary>
internal sealed class SendMetrics : IAsyncDisposable
{
    private readonly MetricsEndpoint endpoint;
    private readonly TargetList? list;

    private SendMetrics(MetricsEndpoint endpoint, TargetList? list)
    {
        this.endpoint = endpoint;
        this.list = list;
        list?.Write(new ScrapeTarget(endpoint.Reachable, "sender"));
        endpoint.MarkReady();
    }

    /// <summary>Serves the metrics, registers the address and prints it. Returns null if metrics are not requested.</summary>
    public static async Task<SendMetrics?> StartAsync(
        SendMetricsOptions? options,
        string run,
        SendCounters counters,
        Action<string> notice,
        CancellationToken cancellationToken
    )
    {
        if (options is null)
        {
            return null;
        }

        var started = await MetricsEndpoint.StartAsync(
            GetRegistry(run, counters),
            new MetricsEndpointOptions(IPAddress.Loopback, options.Port),
            cancellationToken
        );
        notice($"metrics: {started.Address}metrics");
        try
        {
            return new SendMetrics(started, TargetList.Create(options.Targets, "sender"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            notice($"metrics: not listed for Prometheus: {exception.Message}");
            return new SendMetrics(started, null);
        }
    }

    public async ValueTask DisposeAsync()
    {
        list?.Dispose();
        await endpoint.DisposeAsync();
    }

    internal static MetricRegistry GetRegistry(string run, SendCounters counters)
    {
        var registry = new MetricRegistry();
        ProcessMetrics.AddTo(registry, typeof(SendMetrics).Assembly, ("run", run));
        foreach (
            var (outcome, read) in new (string, Func<double>)[]
            {
                ("acknowledged", () => counters.Acknowledged),
                ("failed", () => counters.Failed),
                ("unknown", () => counters.Unknown),
            }
        )
        {
            registry.AddCounterCallback("sender_events_total", "Events sent, by outcome.", read, ("run", run), ("outcome", outcome));
        }

        registry.AddGauge("sender_intended_events", "Events to send.", ("run", run)).Set(counters.Intended);
        registry.AddGaugeCallback(
            "sender_most_late_seconds",
            "The largest delay of an event after its scheduled send time.",
            () => counters.MostLate.TotalSeconds,
            ("run", run)
        );
        return registry;
    }
}
