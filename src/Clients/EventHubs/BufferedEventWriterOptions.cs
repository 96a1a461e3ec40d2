namespace EventHubThroughput.Clients.EventHubs;

/// <summary>How a buffered writer collects its batches. The defaults are those of the official packages.</summary>
public sealed record BufferedEventWriterOptions
{
    /// <summary>The longest <see cref="MaxDelay"/>: 1 h.</summary>
    public static readonly TimeSpan LongestDelay = TimeSpan.FromHours(1);

    /// <summary>The largest <see cref="MaxBufferedEvents"/>.</summary>
    public const int MostBufferedEvents = 1_000_000;

    /// <summary>How long an event may wait for its batch to become full. 1 ms to 1 h. Default 1 s.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The most events of one partition that are not settled yet. Beyond it, adding waits. 1 to 1,000,000. Default 1,500.</summary>
    public int MaxBufferedEvents { get; init; } = 1_500;

    /// <summary>The scheduler of sends and of callbacks. Default: the thread pool's.</summary>
    public TaskScheduler Scheduler { get; init; } = TaskScheduler.Default;

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal IEnumerable<string> Problems() =>
        [
            .. OptionLimits.Check(nameof(MaxDelay), MaxDelay, OptionLimits.ShortestTime, LongestDelay),
            .. OptionLimits.Check(nameof(MaxBufferedEvents), MaxBufferedEvents, 1, MostBufferedEvents),
        ];
}
