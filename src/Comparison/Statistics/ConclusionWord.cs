namespace EventHubThroughput.Comparison;

/// <summary>What may be said of a strategy against another one.</summary>
internal enum ConclusionWord
{
    /// <summary>The whole interval of the ratio lies above 1.03.</summary>
    Faster,

    /// <summary>The whole interval of the ratio lies below 1 / 1.03.</summary>
    Slower,

    /// <summary>The whole interval of the ratio lies within 0.97 to 1.03.</summary>
    NoDifference,

    /// <summary>None of the three. More blocks may tell.</summary>
    NotDecided,

    /// <summary>Fewer than five blocks: there is a median, but no interval.</summary>
    Indication,

    /// <summary>The figures are not the strategies' own (<see cref="WithheldReason"/>).</summary>
    Withheld,

    /// <summary>The runs scatter, or the machine drifted, more than a verdict permits.</summary>
    Noisy,
}

/// <summary>Why nothing is said.</summary>
internal enum WithheldReason
{
    /// <summary>A run of either strategy was input-bound.</summary>
    InputBound,

    /// <summary>A run of either strategy was emulator-bound.</summary>
    EmulatorBound,

    /// <summary>In a run of either strategy events waited ever longer.</summary>
    FallsBehind,

    /// <summary>No block that counts holds a run of both that is ok.</summary>
    NothingToCompare,
}
