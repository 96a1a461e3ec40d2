namespace Prometheus;

[ReadFrom("prometheus-net", "8.1.0")]
public abstract class ChildBase : IDisposable
{
    internal ChildBase() => throw null!;

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("prometheus-net", "8.1.0")]
public abstract class Collector
{
    internal Collector() => throw null!;
}

[ReadFrom("prometheus-net", "8.1.0")]
public abstract class Collector<TChild> : Collector
    where TChild : ChildBase
{
    internal Collector() => throw null!;

    public TChild WithLabels(params string[] labelValues) => throw null!;
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class CollectorRegistry
{
    internal CollectorRegistry() => throw null!;

    public void AddBeforeCollectCallback(Action callback) => throw null!;

    public Task CollectAndExportAsTextAsync(Stream to, ExpositionFormat format, CancellationToken cancel = default) => throw null!;
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class Counter : Collector<Counter.Child>
{
    internal Counter() => throw null!;

    public sealed class Child : ChildBase
    {
        internal Child() => throw null!;

        public void IncTo(double targetValue) => throw null!;
    }
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class ExemplarBehavior
{
    internal ExemplarBehavior() => throw null!;

    public static ExemplarBehavior NoExemplars() => throw null!;
}

[ReadFrom("prometheus-net", "8.1.0")]
public enum ExpositionFormat
{
    PrometheusText = 0,
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class Gauge : Collector<Gauge.Child>
{
    internal Gauge() => throw null!;

    public sealed class Child : ChildBase
    {
        internal Child() => throw null!;

        public void Set(double val) => throw null!;
    }
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class Histogram : Collector<Histogram.Child>
{
    internal Histogram() => throw null!;

    public sealed class Child : ChildBase
    {
        internal Child() => throw null!;

        public void Observe(double val) => throw null!;
    }
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class HistogramConfiguration : MetricConfiguration
{
    public HistogramConfiguration() => throw null!;

    public double[]? Buckets
    {
        set => throw null!;
    }
}

[ReadFrom("prometheus-net", "8.1.0")]
public abstract class MetricConfiguration
{
    internal MetricConfiguration() => throw null!;
}

[ReadFrom("prometheus-net", "8.1.0")]
public sealed class MetricFactory
{
    internal MetricFactory() => throw null!;

    public Histogram CreateHistogram(string name, string help, string[] labelNames, HistogramConfiguration? configuration = null) => throw null!;

    public Counter CreateCounter(string name, string help, params string[] labelNames) => throw null!;

    public Gauge CreateGauge(string name, string help, params string[] labelNames) => throw null!;

    public ExemplarBehavior? ExemplarBehavior
    {
        set => throw null!;
    }
}

[ReadFrom("prometheus-net", "8.1.0")]
public static class Metrics
{
    public static CollectorRegistry NewCustomRegistry() => throw null!;

    public static MetricFactory WithCustomRegistry(CollectorRegistry registry) => throw null!;
}
