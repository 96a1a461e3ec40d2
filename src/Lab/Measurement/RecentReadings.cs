namespace EventHubThroughput.Lab.Measurement;

/// <summary>The newest readings of a run. Older ones are dropped. Safe for several threads.</summary>
/// <param name="timeProvider">The clock.</param>
/// <param name="most">The most that is kept.</param>
internal sealed class RecentReadings<T>(TimeProvider timeProvider, int most)
{
    private readonly Lock gate = new();
    private readonly Queue<(long At, T Value)> readings = new();

    /// <summary>Records a reading of now.</summary>
    public void Add(T value)
    {
        lock (gate)
        {
            if (readings.Count == most)
            {
                readings.Dequeue();
            }

            readings.Enqueue((timeProvider.GetTimestamp(), value));
        }
    }

    /// <summary>What was read between two raw timestamps, both included.</summary>
    public IReadOnlyList<T> Between(long from, long to)
    {
        lock (gate)
        {
            return [.. readings.Where(reading => reading.At >= from && reading.At <= to).Select(static reading => reading.Value)];
        }
    }
}
