namespace EventHubThroughput.Lab.Measurement;

/// <summary>The processor time of this process at some moments of a run, a second or less apart. Safe for several threads.</summary>
/// <param name="timeProvider">The clock.</param>
/// <param name="emulator">The emulator's process, whose memory is read as well. Null where the run owns none.</param>
internal sealed class ProcessorTimes(TimeProvider timeProvider, System.Diagnostics.Process? emulator = null)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    // Readings farther apart, as of a machine that slept, do not show what was between them.
    private static readonly TimeSpan MostApart = 3 * Interval;

    private readonly Lock gate = new();
    private readonly List<(long At, TimeSpan Used)> readings = [];

    /// <summary>The thread pool, more often.</summary>
    public ThreadPoolReadings ThreadPool { get; } = new(timeProvider);

    /// <summary>The memory at the same moments.</summary>
    public MemoryReadings Memory { get; } = new(timeProvider, emulator);

    /// <summary>Reads it once a second until it is cancelled.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(ThreadPoolReadings.Interval, timeProvider);
        var next = timeProvider.GetTimestamp();
        try
        {
            do
            {
                ThreadPool.Read();
                var now = timeProvider.GetTimestamp();
                if (now >= next)
                {
                    Add(Environment.CpuUsage.TotalTime);
                    Memory.Read();
                    next = now + (long)(Interval.TotalSeconds * timeProvider.TimestampFrequency);
                }
            } while (await timer.WaitForNextTickAsync(cancellationToken));
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            Add(Environment.CpuUsage.TotalTime);
        }
    }

    /// <summary>Records a reading of now.</summary>
    public void Add(TimeSpan used)
    {
        lock (gate)
        {
            readings.Add((timeProvider.GetTimestamp(), used));
        }
    }

    /// <summary>The processors that were in use between the last two readings. Null before there are two.</summary>
    public double? Newest
    {
        get
        {
            lock (gate)
            {
                return readings is [.., var before, var after] && timeProvider.GetElapsedTime(before.At, after.At) is { Ticks: > 0 } between
                    ? (after.Used - before.Used) / between
                    : null;
            }
        }
    }

    /// <summary>The use between two raw timestamps, interpolated between readings. Null where one of them has no reading near it.</summary>
    public TimeSpan? Between(long from, long to)
    {
        lock (gate)
        {
            return At(to) - At(from);
        }
    }

    private TimeSpan? At(long moment)
    {
        var next = readings.FindIndex(reading => reading.At >= moment);
        if (next < 0 || (next == 0 && readings[0].At > moment))
        {
            return null;
        }

        var after = readings[next];
        if (after.At == moment)
        {
            return after.Used;
        }

        var before = readings[next - 1];
        return timeProvider.GetElapsedTime(before.At, after.At) <= MostApart
            ? before.Used + ((after.Used - before.Used) * ((double)(moment - before.At) / (after.At - before.At)))
            : null;
    }
}
