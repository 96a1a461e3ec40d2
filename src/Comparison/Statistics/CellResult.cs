namespace EventHubThroughput.Comparison;

/// <summary>Whether a cell's rate may be averaged and compared, and if not, why.</summary>
internal enum CellStatus
{
    /// <summary>It may.</summary>
    Ok,

    /// <summary>The windows before the measurement did not become steady (<see cref="SteadyState"/>).</summary>
    NotSettled,

    /// <summary>The emulator's latencies were not those that were asked for.</summary>
    ProfileMissed,

    /// <summary>The verdict is no pass, which voids the speed.</summary>
    FailedVerdict,

    /// <summary>The backlog ran empty, or less arrived than was meant.</summary>
    InputBound,

    /// <summary>The emulator held the rate, not the strategy.</summary>
    EmulatorBound,

    /// <summary>Events came faster than they were completed: the time that they take depends on how long is measured.</summary>
    FallsBehind,
}

/// <summary>One run of one strategy within a block.</summary>
/// <param name="Strategy">The label, which need not be a strategy's name: the same strategy may be compared with itself under two.</param>
/// <param name="Rate">Completed events per second, or the reciprocal of a time. Above 0 where <paramref name="Status"/> is ok, and better where it is higher.</param>
/// <param name="Status">What the rate is good for.</param>
internal sealed record CellResult(string Strategy, double Rate, CellStatus Status = CellStatus.Ok);
