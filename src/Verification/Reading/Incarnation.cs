namespace EventHubThroughput.Verification.Reading;

/// <summary>One unbroken reading of one partition, and what the crash or change of owner before it may let it repeat.</summary>
/// <param name="Since">The tick of its first delivery.</param>
/// <param name="Stored">The position of the last checkpoint stored before that; -1 when there was none.</param>
/// <param name="Known">The position of the last checkpoint that it must have found: stored while the one before it still received
/// events, and before the partition was claimed.</param>
internal sealed record Incarnation(long Since, long Stored, long Known)
{
    /// <summary>Events that had begun before it and were above the checkpoint: <c>replayExact</c>.</summary>
    public long Allowed { get; set; }

    /// <summary>The same above the checkpoint that it must have found. Not below it: a checkpoint can be stored late.</summary>
    public long Excusable { get; set; }

    /// <summary>Events that had begun before it and were handed to it.</summary>
    public long Replayed { get; set; }

    /// <summary>The lowest of the positions of this incarnation and all later ones.</summary>
    public long LowestAhead { get; set; }
}
