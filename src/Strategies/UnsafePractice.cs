namespace EventHubThroughput.Strategies;

/// <summary>
/// What a strategy is allowed that loses events: the position passes every event of a batch at the batch's end, whatever became of it, and a
/// failed write is neither tried again nor dealt with by a poison policy. People run such loops. They are here to be measured and convicted.
/// </summary>
/// <param name="Why">One sentence for help and documents: what makes it unsafe.</param>
internal sealed record UnsafePractice(string Why)
{
    /// <summary>The strategy's own option that says after how many batches a checkpoint is stored. Null stores one after each.</summary>
    public string? CheckpointFrequencyOption { get; init; }

    /// <summary>The strategy's own option that says how many events are gathered for a batch at the least. Null takes them as they come.</summary>
    public string? LeastBatchOption { get; init; }

    /// <summary>The strategy's own option that says for how long they are gathered, in milliseconds. Goes with the one before.</summary>
    public string? LongestWaitOption { get; init; }

    /// <summary>The strategy's own options that are named here.</summary>
    public IEnumerable<string> OptionNames => new[] { CheckpointFrequencyOption, LeastBatchOption, LongestWaitOption }.OfType<string>();
}
