namespace EventHubThroughput.Lab.Measurement;

/// <summary>The times of batches: their number, mean and variation. One caller at a time.</summary>
internal sealed class BatchTimes
{
    private double mean;
    private double squares;

    /// <summary>How many there were.</summary>
    public long Count { get; private set; }

    /// <summary>Standard deviation by mean. Null of fewer than two.</summary>
    public double? Cv => Count > 1 && mean > 0 ? Math.Sqrt(squares / (Count - 1)) / mean : null;

    // Welford's method.
    public void Add(TimeSpan elapsed)
    {
        Count++;
        var from = elapsed.TotalSeconds - mean;
        mean += from / Count;
        squares += from * (elapsed.TotalSeconds - mean);
    }
}
