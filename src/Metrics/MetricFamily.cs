namespace EventHubThroughput.Metrics;

public enum MetricKind
{
    Counter,
    Gauge,
    Histogram,
}

/// <summary>All series of one name.</summary>
public sealed class MetricFamily
{
    private readonly List<string> keys = [];

    // Replaced as a whole under the registry's lock, so that a scrape reads it without one.
    private MetricSeries[] series = [];

    internal MetricFamily(string name, string help, MetricKind kind, string[] labelNames, double[] upperBounds)
    {
        Name = name;
        Help = help;
        Kind = kind;
        LabelNames = labelNames;
        UpperBounds = upperBounds;
        Header = TextFormat.Header(name, help, kind);
    }

    public string Name { get; }

    public string Help { get; }

    public MetricKind Kind { get; }

    public IReadOnlyList<MetricSeries> Series => Volatile.Read(ref series);

    /// <summary>The bounds of a histogram's buckets, ascending, without the last one, which has none; empty for other kinds.</summary>
    public IReadOnlyList<double> Bounds => UpperBounds;

    internal string[] LabelNames { get; }

    internal double[] UpperBounds { get; }

    internal byte[] Header { get; }

    internal MetricSeries[] Snapshot => Volatile.Read(ref series);

    // Both are called under the registry's lock.
    internal MetricSeries? Find(string key) => keys.IndexOf(key) is var index and >= 0 ? series[index] : null;

    internal void Add(string key, MetricSeries added)
    {
        keys.Add(key);
        Volatile.Write(ref series, [.. series, added]);
    }
}
