using System.IO.Pipelines;
using EventHubThroughput.Metrics;
using Prometheus;
using OwnHistogram = EventHubThroughput.Metrics.Histogram;

namespace EventHubThroughput.OfficialPackages.Metrics;

/// <summary>
/// Serves a registry's series with prometheus-net. Counters and gauges are read at each scrape; a histogram passes its values on as
/// they are recorded, for the package keeps buckets of its own. The registry of the package is a new one: nothing of what the
/// package collects by default (event counters, meters, process) is in it.
/// </summary>
public sealed class PrometheusNetText
{
    private readonly CollectorRegistry target = Prometheus.Metrics.NewCustomRegistry();
    private readonly MetricFactory factory;
    private readonly Lock gate = new();

    // Under the gate: what is read at a scrape.
    private readonly List<Action> reads = [];

    private PrometheusNetText()
    {
        factory = Prometheus.Metrics.WithCustomRegistry(target);
        factory.ExemplarBehavior = ExemplarBehavior.NoExemplars();
        target.AddBeforeCollectCallback(ReadAll);
    }

    /// <summary>Makes it for a registry, of which it shows all series that are there and that come.</summary>
    public static MetricsText Of(MetricRegistry registry)
    {
        ArgumentNullException.ThrowIfNull(registry);
        PrometheusNetText text = new();
        registry.Watch(text.Add);
        return text.WriteAsync;
    }

    private async Task WriteAsync(PipeWriter output, CancellationToken cancellationToken)
    {
        await target.CollectAndExportAsTextAsync(output.AsStream(leaveOpen: true), ExpositionFormat.PrometheusText, cancellationToken).ConfigureAwait(false);
        await output.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    private void Add(MetricFamily family, MetricSeries series)
    {
        string[] names = [.. series.Labels.Select(static label => label.Name)];
        string[] values = [.. series.Labels.Select(static label => label.Value)];
        switch (family.Kind)
        {
            case MetricKind.Counter:
                Prometheus.Counter.Child counter = factory.CreateCounter(family.Name, family.Help, names).WithLabels(values);
                AddRead(() => counter.IncTo(series.Value));
                break;
            case MetricKind.Gauge:
                Prometheus.Gauge.Child gauge = factory.CreateGauge(family.Name, family.Help, names).WithLabels(values);
                AddRead(() => gauge.Set(series.Value));
                break;
            default:
                HistogramConfiguration configuration = new() { Buckets = [.. family.Bounds] };
                Prometheus.Histogram.Child histogram = factory.CreateHistogram(family.Name, family.Help, names, configuration).WithLabels(values);
                OwnHistogram own = series.Histogram!;
                own.ForwardTo(histogram.Observe);
                break;
        }
    }

    private void AddRead(Action read)
    {
        lock (gate)
        {
            reads.Add(read);
        }
    }

    private void ReadAll()
    {
        lock (gate)
        {
            reads.ForEach(static read => read());
        }
    }
}
