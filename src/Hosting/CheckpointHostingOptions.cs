using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>When checkpoints are stored: at each batch end, or after a number of events, or after a time, whichever of the two comes first.</summary>
public sealed class CheckpointHostingOptions
{
    /// <summary>Store after this many events that are complete, 1 to 10,000,000. Null, the default, counts none.</summary>
    public int? Events { get; set; }

    /// <summary>
    /// Store when the oldest event that is complete and not stored is older than this, 1 ms to 1 day. Null, the default, is 5 s beside <see cref="Events"/>,
    /// and no time without.
    /// </summary>
    public TimeSpan? Interval { get; set; }

    internal CheckpointOptions ToCheckpoints() => CheckpointOptions.From(Events, Interval);
}
