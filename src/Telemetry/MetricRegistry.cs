using Prometheus;

namespace EventHubThroughput.Telemetry;

/// <summary>
/// All series of a program, in a registry of prometheus-net that contains nothing else: no event counters, no meters, nothing of the package's default
/// registry. A series is looked up once, when it is added, and then kept: recording never uses this class.
/// </summary>
#pragma warning disable CA1001 // The semaphore is only awaited: it has no handle to dispose of.
public sealed class MetricRegistry
#pragma warning restore CA1001
{
    private readonly CollectorRegistry collectors = Prometheus.Metrics.NewCustomRegistry();
    private readonly MetricFactory factory;

    // One scrape at a time: values that callbacks set together are written together.
    private readonly SemaphoreSlim scraping = new(1, 1);

    public MetricRegistry()
    {
        factory = Prometheus.Metrics.WithCustomRegistry(collectors);

        // Exemplars are not part of the text format, and looking for one costs each record a call.
        factory.ExemplarBehavior = new ExemplarBehavior { DefaultExemplarProvider = null };
    }

    /// <summary>Adds a counter. Returns the existing one when name and labels are the same.</summary>
    public Counter.Child AddCounter(string name, string help, params (string Name, string Value)[] labels) =>
        Of(factory.CreateCounter(name, Escape(help), GetNames(labels)), labels);

    /// <summary>Adds a gauge. Returns the existing one when name and labels are the same.</summary>
    public Gauge.Child AddGauge(string name, string help, params (string Name, string Value)[] labels) =>
        Of(factory.CreateGauge(name, Escape(help), GetNames(labels)), labels);

    /// <summary>Adds a histogram. Returns the existing one when name and labels are the same. Bounds ascend. +Inf is implied.</summary>
    public Histogram.Child AddHistogram(string name, string help, IReadOnlyList<double> upperBounds, params (string Name, string Value)[] labels) =>
        Of(factory.CreateHistogram(name, Escape(help), GetNames(labels), new HistogramConfiguration { Buckets = [.. upperBounds] }), labels);

    /// <summary>
    /// Adds a counter that is read at each scrape. The callback must be fast and may be called from any thread. When it fails, the last value stays.
    /// </summary>
    public void AddCounterCallback(string name, string help, Func<double> read, params (string Name, string Value)[] labels)
    {
        var counter = AddCounter(name, help, labels);
        collectors.AddBeforeCollectCallback(() => counter.IncTo(read()));
    }

    /// <summary>
    /// Adds a gauge that is read at each scrape. The callback must be fast and may be called from any thread. When it fails, the value is NaN.
    /// </summary>
    public void AddGaugeCallback(string name, string help, Func<double> read, params (string Name, string Value)[] labels)
    {
        var gauge = AddGauge(name, help, labels);
        collectors.AddBeforeCollectCallback(() =>
        {
            try
            {
                gauge.Set(read());
            }
            catch (Exception)
            {
                // An old value would be taken for a present one.
                gauge.Set(double.NaN);
            }
        });
    }

    /// <summary>
    /// Adds a callback at the beginning of each scrape, for series that are read together. It must be fast and may be called from any thread, one at a time.
    /// When it fails, the old values stay.
    /// </summary>
    public void BeforeScrape(Action set) => collectors.AddBeforeCollectCallback(set);

    /// <summary>
    /// The response to a scrape, in the format of <see cref="TextFormat.ContentType"/>. It is complete before the first byte is sent, so that no failure
    /// truncates it.
    /// </summary>
    public async Task<ReadOnlyMemory<byte>> ScrapeAsync(CancellationToken cancellationToken)
    {
        using var text = new MemoryStream();
        await scraping.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await collectors.CollectAndExportAsTextAsync(text, ExpositionFormat.PrometheusText, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            scraping.Release();
        }

        return TextFormat.WithCountsOfBuckets(text.GetBuffer().AsSpan(0, (int)text.Length));
    }

    private static TChild Of<TChild>(Collector<TChild> collector, (string Name, string Value)[] labels)
        where TChild : ChildBase => collector.WithLabels([.. labels.Select(static label => label.Value)]);

    private static string[] GetNames((string Name, string Value)[] labels) => [.. labels.Select(static label => label.Name)];

    // The package writes a help text unchanged.
    private static string Escape(string help) => help.Replace("\\", "\\\\").Replace("\n", "\\n");
}
