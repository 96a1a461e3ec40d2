using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>When checkpoints are stored: at each batch end, after a number of events, after a time, or after the first of the two.</summary>
public sealed class CheckpointHostingOptions
{
    /// <summary>Store after this many complete events, 1 to 10,000,000. Null, the default, counts none.</summary>
    public int? Events { get; set; }

    /// <summary>
    /// Store when the oldest complete event without a checkpoint is older than this, 1 ms to 1 day. Null, the default, is 5 s together with
    /// <see cref="Events"/>, and no time without it.
    /// </summary>
    public TimeSpan? Interval { get; set; }

    internal CheckpointOptions ToCheckpoints() => CheckpointOptions.From(Events, Interval);
}
