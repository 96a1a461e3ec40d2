using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract;

/// <summary>One part of the contract, which any test framework can run.</summary>
public sealed class StrategyCheck
{
    private readonly Func<TrialSubject, Task> body;

    internal StrategyCheck(string name, Func<TrialSubject, Task> body) => (Name, this.body) = (name, body);

    internal StrategyCheck(string name, Action<TrialSubject> body)
        : this(
            name,
            subject =>
            {
                body(subject);
                return Task.CompletedTask;
            }
        ) { }

    /// <summary>What a strategy does that passes, as a sentence: unique among the checks, and the name to find it by.</summary>
    public string Name { get; }

    /// <summary>
    /// Runs the check. All but one run on the calling thread in virtual time and have ended when this returns. None waits for the clock of
    /// the machine.
    /// </summary>
    /// <param name="strategy">The strategy, as it is declared.</param>
    /// <param name="budget">How much is tried. Null is the usual.</param>
    /// <param name="cancellationToken">Ends the check that runs on the thread pool, should a strategy never end it.</param>
    /// <exception cref="StrategyContractException">The strategy breaks this part of its contract.</exception>
    public async Task RunAsync(StrategyDescriptor strategy, ContractBudget? budget = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(strategy);
        try
        {
            await body(new TrialSubject(strategy, budget ?? new ContractBudget(), cancellationToken));
        }
        catch (Exception failure) when (!cancellationToken.IsCancellationRequested)
        {
            var what = failure is StrategyContractException ? failure.Message : $"{failure.GetType().Name}: {failure.Message}";
            throw new StrategyContractException($"strategy '{strategy.Name}' breaks \"{Name}\": {what}", failure);
        }
    }

    /// <inheritdoc/>
    public override string ToString() => Name;
}
