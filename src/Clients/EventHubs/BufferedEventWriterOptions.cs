namespace EventHubThroughput.Clients.EventHubs;

/// <summary>How a buffered writer gathers its batches. The defaults are those of the official packages.</summary>
public sealed record BufferedEventWriterOptions
{
    private readonly TimeSpan maxDelay = TimeSpan.FromSeconds(1);
    private readonly int maxBufferedEvents = 1_500;

    /// <summary>How long an event may wait for its batch to become full; 1 ms to 1 h. Default 1 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Beyond these limits.</exception>
    public TimeSpan MaxDelay
    {
        get => maxDelay;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.FromMilliseconds(1));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, TimeSpan.FromHours(1));
            maxDelay = value;
        }
    }

    /// <summary>Events of one partition that are not settled yet, behind which adding waits; 1 to 1,000,000. Default 1,500.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Beyond these limits.</exception>
    public int MaxBufferedEvents
    {
        get => maxBufferedEvents;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1_000_000);
            maxBufferedEvents = value;
        }
    }

    /// <summary>Where sends begin and outcomes are told. Default: the thread pool's.</summary>
    public TaskScheduler Scheduler { get; init; } = TaskScheduler.Default;
}
