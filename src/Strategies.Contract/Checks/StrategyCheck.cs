using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract;

/// <summary>One part of the contract. Any test framework can run it.</summary>
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

    /// <summary>What a correct strategy does, as a sentence: unique among the checks.</summary>
    public string Name { get; }

    /// <summary>
    /// Runs the check. All checks except one run on the calling thread in virtual time and have ended when this returns. None waits for the machine's clock.
    /// </summary>
    /// <param name="strategy">The descriptor of the strategy.</param>
    /// <param name="budget">The number of trials. Null is the default.</param>
    /// <param name="cancellationToken">Ends the check that runs on the thread pool, in case a strategy never ends it.</param>
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
