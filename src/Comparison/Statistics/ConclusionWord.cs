namespace EventHubThroughput.Comparison;

/// <summary>The possible conclusions about a strategy against another one.</summary>
internal enum ConclusionWord
{
    /// <summary>The whole interval of the ratio is above 1.03.</summary>
    Faster,

    /// <summary>The whole interval of the ratio is below 1 / 1.03.</summary>
    Slower,

    /// <summary>The whole interval of the ratio is within 0.97 to 1.03.</summary>
    NoDifference,

    /// <summary>None of the three. More blocks may decide.</summary>
    NotDecided,

    /// <summary>Fewer than five blocks: there is a median, but no interval.</summary>
    Indication,

    /// <summary>Something else limited the rates (<see cref="UnrankedReason"/>).</summary>
    NotRanked,

    /// <summary>The runs scatter, or the machine drifted, more than a verdict permits.</summary>
    Noisy,
}

/// <summary>Why there is no conclusion.</summary>
internal enum UnrankedReason
{
    /// <summary>A run of either strategy was input-bound.</summary>
    InputBound,

    /// <summary>A run of either strategy was emulator-bound.</summary>
    EmulatorBound,

    /// <summary>In a run of either strategy the waiting times of events increased continuously.</summary>
    FallsBehind,

    /// <summary>No block that counts has a run of both that is ok.</summary>
    NothingToCompare,
}
