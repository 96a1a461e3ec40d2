namespace EventHubThroughput.Strategies;

/// <summary>
/// The rule of a strategy that loses events. The position passes every event of a batch at the batch's end, complete or not. A failed write is neither
/// retried nor handled by a poison policy. Such loops are in use. They are here to measure them and to show the loss.
/// </summary>
/// <param name="Why">One sentence for help and documents: why it is unsafe.</param>
internal sealed record UnsafePractice(string Why)
{
    /// <summary>The strategy's option for the number of batches between checkpoints. Null stores one after each.</summary>
    public string? CheckpointFrequencyOption { get; init; }

    /// <summary>The strategy's option for the fewest events of a collected batch. Null passes them on as they arrive.</summary>
    public string? LeastBatchOption { get; init; }

    /// <summary>The strategy's option for the longest time of collecting, in milliseconds. Used together with the one before.</summary>
    public string? LongestWaitOption { get; init; }

    /// <summary>The options that are named here.</summary>
    public IEnumerable<string> OptionNames => new[] { CheckpointFrequencyOption, LeastBatchOption, LongestWaitOption }.OfType<string>();
}
