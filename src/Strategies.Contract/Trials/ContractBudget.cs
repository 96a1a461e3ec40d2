namespace EventHubThroughput.Strategies.Contract;

/// <summary>How many random variations a check tries.</summary>
public sealed record ContractBudget
{
    /// <summary>
    /// Schedules of each check that explores them, with different batches, latencies and orders of continuations. 100 unless chosen, at least 1.
    /// </summary>
    public int Schedules { get; init; } = 100;

    /// <summary>The seed of the first schedule. The others follow. A failure names its seed, which repeats it. 0 unless chosen.</summary>
    public int FirstSeed { get; init; }
}
