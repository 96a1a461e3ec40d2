namespace EventHubThroughput.Verification.Reading;

/// <summary>One unbroken reading of one partition, and what the crash or change of owner before it may let it repeat.</summary>
/// <param name="Since">The tick of its first delivery.</param>
/// <param name="Stored">The position of the last checkpoint stored before that; -1 when there was none.</param>
/// <param name="Known">The position of the last checkpoint that it must have found: stored while the one before it still received
/// events, and before the partition was claimed; or a lower one, when somebody set it back since.</param>
/// <param name="Highest">The highest position of any checkpoint stored before that.</param>
internal sealed record Incarnation(long Since, long Stored, long Known, long Highest)
{
    /// <summary>Events that had begun before it and were above the checkpoint: <c>replayExact</c>.</summary>
    public long Allowed { get; set; }

    /// <summary>The same above the highest checkpoint: what was dispatched beyond a confirmed one. Nobody's limit covers a position set back.</summary>
    public long Unconfirmed { get; set; }

    /// <summary>The same above the checkpoint that it must have found. Not below it: a checkpoint can be stored late.</summary>
    public long Excusable { get; set; }

    /// <summary>Events that had begun before it and were handed to it.</summary>
    public long Replayed { get; set; }

    /// <summary>The lowest of the positions of this incarnation and all later ones.</summary>
    public long LowestAhead { get; set; }
}
