namespace EventHubThroughput.Metrics;

/// <summary>One series: a family's name with one set of label values.</summary>
public sealed class MetricSeries
{
    private readonly Func<double> read;

    internal MetricSeries(MetricFamily family, (string Name, string Value)[] labels, object instrument, Func<double> read)
    {
        Labels = labels;
        Tags = [.. labels.Select(label => new KeyValuePair<string, object?>(label.Name, label.Value))];
        Instrument = instrument;
        this.read = read;
        Lines = TextFormat.LinePrefixes(family, labels);
    }

    public IReadOnlyList<(string Name, string Value)> Labels { get; }

    /// <summary>The value of a counter or gauge; of a histogram its count. A call-back that fails gives NaN.</summary>
    public double Value
    {
        get
        {
            try
            {
                return read();
            }
            catch (Exception)
            {
                // One broken call-back must not take the whole scrape with it.
                return double.NaN;
            }
        }
    }

    /// <summary>The series' histogram; null for counters and gauges.</summary>
    public Histogram? Histogram => Instrument as Histogram;

    internal KeyValuePair<string, object?>[] Tags { get; }

    internal object Instrument { get; }

    // Everything of the series' lines but the values, encoded once.
    internal byte[][] Lines { get; }
}
