namespace EventHubThroughput.Verification.Reading;

/// <summary>One uninterrupted reading of one partition, and what the crash or change of owner before it may repeat.</summary>
/// <param name="Since">The tick of its first delivery.</param>
/// <param name="Stored">The position of the last checkpoint stored before that. -1 when there was none.</param>
/// <param name="Known">
/// The position of the checkpoint that it must have found. It is the lowest one stored between its claim (its attach if there was none) and its attach. In
/// journals without attaches its first delivery replaces the attach.
/// </param>
/// <param name="Highest">The highest position of any checkpoint stored before that.</param>
internal sealed record Incarnation(long Since, long Stored, long Known, long Highest)
{
    /// <summary>The owner of the reading. Null when the reader does not name it.</summary>
    public string? Owner { get; init; }

    /// <summary>Events that had begun before it and were above the checkpoint: <c>replayExact</c>.</summary>
    public long Allowed { get; set; }

    /// <summary>The same above the highest checkpoint: what was dispatched beyond a confirmed one. No limit covers a position that was moved back.</summary>
    public long Unconfirmed { get; set; }

    /// <summary>Events that had begun before it and were delivered to it.</summary>
    public long Replayed { get; set; }

    /// <summary>Those of them at or below the checkpoint that it must have found: these have no excuse.</summary>
    public long Unexcused { get; set; }

    /// <summary>The lowest of the positions of this incarnation and all later ones.</summary>
    public long LowestAhead { get; set; }
}
