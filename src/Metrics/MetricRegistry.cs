using System.Buffers;
using System.Diagnostics.Metrics;
using System.IO.Pipelines;

namespace EventHubThroughput.Metrics;

/// <summary>
/// All series of a process: families by name, in the order in which they were added. Recording goes to the series' own object and
/// never passes here; a scrape takes no lock.
/// </summary>
/// <remarks>Every family is also an instrument of a <see cref="Meter"/>, for listeners such as OTLP exporters.</remarks>
public sealed class MetricRegistry : IDisposable
{
    private readonly Meter meter;
    private readonly Lock gate = new();
    private readonly Dictionary<string, Histogram<double>> listened = new(StringComparer.Ordinal);

    // Under the gate: who is told of every series.
    private Action<MetricFamily, MetricSeries>? watcher;

    // Replaced as a whole under the gate.
    private MetricFamily[] families = [];

    /// <param name="meterName">The name of the meter: the assembly's.</param>
    public MetricRegistry(string meterName) => meter = new Meter(meterName);

    public IReadOnlyList<MetricFamily> Families => Volatile.Read(ref families);

    /// <summary>A counter; the one that is there already when name and labels are the same.</summary>
    public Counter AddCounter(string name, string help, params (string Name, string Value)[] labels) =>
        Add(
            name,
            help,
            MetricKind.Counter,
            [],
            labels,
            family =>
            {
                var counter = new Counter();
                return new MetricSeries(family, labels, counter, () => counter.Value);
            }
        ).Instrument as Counter
        ?? throw IsCallback(name);

    /// <summary>A gauge; the one that is there already when name and labels are the same.</summary>
    public Gauge AddGauge(string name, string help, params (string Name, string Value)[] labels) =>
        Add(
            name,
            help,
            MetricKind.Gauge,
            [],
            labels,
            family =>
            {
                var gauge = new Gauge();
                return new MetricSeries(family, labels, gauge, () => gauge.Value);
            }
        ).Instrument as Gauge
        ?? throw IsCallback(name);

    /// <summary>A histogram; the one that is there already when name and labels are the same. Bounds ascend; +Inf is implied.</summary>
    public Histogram AddHistogram(string name, string help, IReadOnlyList<double> upperBounds, params (string Name, string Value)[] labels) =>
        (Histogram)
            Add(
                name,
                help,
                MetricKind.Histogram,
                [.. upperBounds],
                labels,
                family =>
                {
                    var tags = labels.Select(label => new KeyValuePair<string, object?>(label.Name, label.Value));
                    var histogram = new Histogram(family.UpperBounds, listened[name], [.. tags]);
                    return new MetricSeries(family, labels, histogram, () => histogram.Count);
                }
            ).Instrument;

    /// <summary>A counter that is read when it is asked for. The call-back must be fast and may come from any thread.</summary>
    public void AddCounterCallback(string name, string help, Func<double> read, params (string Name, string Value)[] labels) =>
        Add(name, help, MetricKind.Counter, [], labels, family => new MetricSeries(family, labels, read, read));

    /// <summary>A gauge that is read when it is asked for. The call-back must be fast and may come from any thread.</summary>
    public void AddGaugeCallback(string name, string help, Func<double> read, params (string Name, string Value)[] labels) =>
        Add(name, help, MetricKind.Gauge, [], labels, family => new MetricSeries(family, labels, read, read));

    /// <summary>Tells of every series, those that are here and those that come, each before its owner has it. One watcher only; it must not block.</summary>
    public void Watch(Action<MetricFamily, MetricSeries> added)
    {
        lock (gate)
        {
            watcher = watcher is null ? added : throw new InvalidOperationException("The registry is watched already.");
            foreach (var family in families)
            {
                Array.ForEach(family.Snapshot, series => added(family, series));
            }
        }
    }

    /// <summary>Writes all families in the Prometheus text format 0.0.4.</summary>
    public void WriteText(IBufferWriter<byte> output)
    {
        foreach (var family in Volatile.Read(ref families))
        {
            TextFormat.Write(output, family);
        }
    }

    /// <summary>The same into the body of an answer.</summary>
    public async Task WriteTextAsync(PipeWriter output, CancellationToken cancellationToken)
    {
        WriteText(output);
        await output.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => meter.Dispose();

    private static ArgumentException IsCallback(string name) => new($"'{name}' with these labels is read by a call-back.", nameof(name));

    private MetricSeries Add(
        string name,
        string help,
        MetricKind kind,
        double[] upperBounds,
        (string Name, string Value)[] labels,
        Func<MetricFamily, MetricSeries> create
    )
    {
        var labelNames = labels.Select(label => label.Name).Order(StringComparer.Ordinal).ToArray();
        MetricSyntax.Check(name, kind, upperBounds, labelNames);
        lock (gate)
        {
            var family = Array.Find(families, candidate => candidate.Name == name);
            if (family is null)
            {
                family = new MetricFamily(name, help, kind, labelNames, upperBounds);
                Publish(family);
                Volatile.Write(ref families, [.. families, family]);
            }

            MetricSyntax.CheckSame(family, help, kind, upperBounds, labelNames);
            var key = string.Join('\u0001', labels.OrderBy(label => label.Name, StringComparer.Ordinal).Select(label => label.Value));
            if (family.Find(key) is { } existing)
            {
                return existing;
            }

            var added = create(family);
            family.Add(key, added);
            watcher?.Invoke(family, added);
            return added;
        }
    }

    private void Publish(MetricFamily family)
    {
        var (name, unit) = MetricSyntax.MeterName(family.Name);
        switch (family.Kind)
        {
            case MetricKind.Counter:
                meter.CreateObservableCounter(name, () => Measure(family), unit, family.Help);
                break;
            case MetricKind.Gauge:
                meter.CreateObservableGauge(name, () => Measure(family), unit, family.Help);
                break;
            default:
                var advice = new InstrumentAdvice<double> { HistogramBucketBoundaries = family.UpperBounds };
                listened.Add(family.Name, meter.CreateHistogram(name, unit, family.Help, tags: null, advice));
                break;
        }
    }

    private static IEnumerable<Measurement<double>> Measure(MetricFamily family) =>
        family.Snapshot.Select(series => new Measurement<double>(series.Value, series.Tags));
}
