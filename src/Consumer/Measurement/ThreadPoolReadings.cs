namespace EventHubThroughput.Consumer.Measurement;

/// <summary>What the thread pool was like over a stretch of a run.</summary>
/// <param name="MeanThreads">The mean of its threads.</param>
/// <param name="MostThreads">The most of them.</param>
/// <param name="LongestQueue">The most work that waited for one.</param>
internal sealed record ThreadPoolFigures(double MeanThreads, int MostThreads, long LongestQueue);

/// <summary>The thread pool at some moments of a run, a second apart. Safe for several threads.</summary>
/// <param name="timeProvider">The clock.</param>
internal sealed class ThreadPoolReadings(TimeProvider timeProvider)
{
    private readonly Lock gate = new();
    private readonly List<(long At, int Threads, long Queue)> readings = [];

    /// <summary>Takes note of the pool as it is now.</summary>
    public void Read() => Add(ThreadPool.ThreadCount, ThreadPool.PendingWorkItemCount);

    /// <summary>Takes note of a reading of now.</summary>
    public void Add(int threads, long queue)
    {
        lock (gate)
        {
            readings.Add((timeProvider.GetTimestamp(), threads, queue));
        }
    }

    /// <summary>What was read between two raw timestamps; null where nothing was.</summary>
    public ThreadPoolFigures? Between(long from, long to)
    {
        lock (gate)
        {
            var within = readings.Where(reading => reading.At >= from && reading.At <= to).ToList();
            return within.Count == 0
                ? null
                : new ThreadPoolFigures(
                    within.Average(static reading => reading.Threads),
                    within.Max(static reading => reading.Threads),
                    within.Max(static reading => reading.Queue)
                );
        }
    }
}
