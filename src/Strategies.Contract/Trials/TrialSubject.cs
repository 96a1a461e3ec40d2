using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Contract.Trials;

/// <summary>What a check tests.</summary>
internal sealed record TrialSubject(StrategyDescriptor Strategy, ContractBudget Budget, CancellationToken Cancellation)
{
    /// <summary>The seeds of the schedules that the budget allows.</summary>
    public IEnumerable<int> Seeds => Enumerable.Range(0, Math.Max(1, Budget.Schedules)).Select(schedule => unchecked(Budget.FirstSeed + schedule));

    /// <summary>Runs a body in virtual time. Returns the time that it took.</summary>
    /// <param name="body">The body.</param>
    /// <param name="seed">Null runs continuations in the order in which they became ready.</param>
    public static TimeSpan Once(Func<VirtualClock, Task> body, int? seed = null) => VirtualTimeRunner.Run(body, seed);

    /// <summary>Runs a body under as many schedules as the budget allows.</summary>
    public void Explore(Func<Chance, Task> body)
    {
        foreach (var seed in Seeds)
        {
            try
            {
                VirtualTimeRunner.Run(clock => body(new Chance(seed, clock)), seed);
            }
            catch (Exception failure)
            {
                var what = failure is StrategyContractException ? failure.Message : $"{failure.GetType().Name}: {failure.Message}";
                throw new StrategyContractException($"{what} (schedule {seed}; FirstSeed {seed} and Schedules 1 repeat it)", failure);
            }
        }
    }
}

/// <summary>The source of all random choices in one schedule.</summary>
internal sealed class Chance(int seed, VirtualClock clock)
{
    private readonly Random random = new(seed);

    public int Seed => seed;

    public VirtualClock Clock => clock;

    /// <summary>A number between two, both included.</summary>
    public int Between(int least, int most) => random.Next(least, most + 1);
}
