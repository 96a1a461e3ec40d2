using System.Diagnostics.Metrics;

namespace EventHubThroughput.Metrics;

/// <summary>Counts values in buckets of given upper bounds. Recording takes no lock and allocates nothing.</summary>
public sealed class Histogram
{
    private readonly double[] upperBounds;
    private readonly long[] counts;
    private readonly Histogram<double> listened;
    private readonly KeyValuePair<string, object?>[] tags;
    private double sum;

    // Set before the first value is recorded.
    private Action<double>? forward;

    internal Histogram(double[] upperBounds, Histogram<double> listened, KeyValuePair<string, object?>[] tags)
    {
        this.upperBounds = upperBounds;
        this.listened = listened;
        this.tags = tags;
        counts = new long[upperBounds.Length + 1];
    }

    public double Sum => Volatile.Read(ref sum);

    public long Count
    {
        get
        {
            var total = 0L;
            for (var bucket = 0; bucket < counts.Length; bucket++)
            {
                total += CountOf(bucket);
            }

            return total;
        }
    }

    /// <summary>Passes every value on, to an exporter that keeps histograms of its own. Set before the first value; must be fast.</summary>
    public void ForwardTo(Action<double> receiver) => forward = receiver;

    internal int Buckets => counts.Length;

    public void Record(double seconds)
    {
        Interlocked.Increment(ref counts[BucketOf(seconds)]);
        AtomicDouble.Add(ref sum, seconds);
        forward?.Invoke(seconds);

        // Looking up the tags is the listener's price, paid only while there is one.
        if (listened.Enabled)
        {
            listened.Record(seconds, tags);
        }
    }

    public void Record(TimeSpan duration) => Record(duration.TotalSeconds);

    /// <summary>How many values fell into one bucket, not cumulative; the last bucket has no bound.</summary>
    internal long CountOf(int bucket) => Volatile.Read(ref counts[bucket]);

    private int BucketOf(double value)
    {
        var bucket = 0;
        while (bucket < upperBounds.Length && !(value <= upperBounds[bucket]))
        {
            bucket++;
        }

        return bucket;
    }
}
