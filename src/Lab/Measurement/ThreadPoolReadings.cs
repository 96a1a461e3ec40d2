namespace EventHubThroughput.Lab.Measurement;

/// <summary>The state of the thread pool during a part of a run.</summary>
/// <param name="MeanThreads">The mean of its threads.</param>
/// <param name="MostThreads">The most of them.</param>
/// <param name="LongestQueue">The most work that waited for one.</param>
/// <param name="QueueP99">The percentile 99 of the work that waited. Null with fewer than a hundred.</param>
internal sealed record ThreadPoolFigures(double MeanThreads, int MostThreads, long LongestQueue, long? QueueP99);

/// <summary>The thread pool at some moments of a run, of the last hour at most. Safe for several threads.</summary>
/// <param name="timeProvider">The clock.</param>
internal sealed class ThreadPoolReadings(TimeProvider timeProvider)
{
    /// <summary>How often it is read.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private const int InAnHour = 36_000;
    private const int FewestForP99 = 100;

    private readonly RecentReadings<(int Threads, long Queue)> readings = new(timeProvider, InAnHour);

    /// <summary>Records the pool as it is now.</summary>
    public void Read() => Add(ThreadPool.ThreadCount, ThreadPool.PendingWorkItemCount);

    /// <summary>Records a reading of now.</summary>
    public void Add(int threads, long queue) => readings.Add((threads, queue));

    /// <summary>What was read between two raw timestamps. Null where nothing was.</summary>
    public ThreadPoolFigures? Between(long from, long to) =>
        readings.Between(from, to) is { Count: > 0 } within
            ? new ThreadPoolFigures(
                within.Average(static reading => reading.Threads),
                within.Max(static reading => reading.Threads),
                within.Max(static reading => reading.Queue),
                within.Count < FewestForP99
                    ? null
                    : within.Select(static reading => reading.Queue).Order().ElementAt((int)Math.Ceiling(0.99 * within.Count) - 1)
            )
            : null;
}
