namespace EventHubThroughput.Strategies;

/// <summary>
/// What a strategy is allowed that loses events: the position passes every event of a batch at the batch's end, whatever became of it, and a
/// failed write is neither tried again nor dealt with by a poison policy. People run such loops; they are here to be measured and convicted.
/// </summary>
/// <param name="Why">One sentence for help and documents: what makes it unsafe.</param>
public sealed record UnsafePractice(string Why)
{
    /// <summary>The strategy's own option that says after how many batches a checkpoint is stored; null stores one after each.</summary>
    public string? CheckpointFrequencyOption { get; init; }
}
