namespace EventHubThroughput.Comparison;

/// <summary>Whether a cell's rate may be averaged and compared, and if not, why.</summary>
internal enum CellStatus
{
    /// <summary>It may.</summary>
    Ok,

    /// <summary>The windows before the measurement did not become steady (<see cref="SteadyState"/>).</summary>
    NotSettled,

    /// <summary>The emulator's latencies differ from the profile.</summary>
    ProfileMissed,

    /// <summary>The verdict is not a pass, so the rate does not count.</summary>
    FailedVerdict,

    /// <summary>The backlog ran empty, or fewer events arrived than scheduled.</summary>
    InputBound,

    /// <summary>The emulator limited the rate, not the strategy.</summary>
    EmulatorBound,

    /// <summary>Events arrived faster than they were completed: their latency depends on the length of the measurement.</summary>
    FallsBehind,
}

/// <summary>One run of one strategy within a block.</summary>
/// <param name="Strategy">The label, which may differ from the strategy's name: a strategy may be compared with itself under two labels.</param>
/// <param name="Rate">
/// Completed events per second, or the reciprocal of a time. Above 0 if <paramref name="Status"/> is ok, and better if it is higher.
/// </param>
/// <param name="Status">Whether the rate counts.</param>
internal sealed record CellResult(string Strategy, double Rate, CellStatus Status = CellStatus.Ok);
