using EventHubThroughput.Strategies.Contract.Checks;

namespace EventHubThroughput.Strategies.Contract;

/// <summary>
/// What every strategy promises apart from its speed, as checks without a test framework: a test passes the name of a check and runs it. Each check creates
/// strategies from the descriptor as processing does. It gives them recording sinks, and drains and disposes of them.
/// </summary>
public static class StrategyContract
{
    /// <summary>All checks, the simplest first. A check that does not apply to a strategy's declaration passes.</summary>
    public static IReadOnlyList<StrategyCheck> Checks { get; } =
    [
        .. DeclarationChecks.All,
        .. DeliveryChecks.All,
        .. DispatchChecks.All,
        .. BlockingChecks.All,
        .. FailureChecks.All,
        .. CancellationChecks.All,
        .. LifeChecks.All,
    ];

    /// <summary>The names of all checks, in their order: the cases of a test.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Checks.Select(check => check.Name)];

    /// <summary>Runs the check of a name.</summary>
    /// <param name="check">One of <see cref="Names"/>.</param>
    /// <param name="strategy">The descriptor of the strategy.</param>
    /// <param name="budget">The number of trials. Null is the default.</param>
    /// <param name="cancellationToken">Ends the check that runs on the thread pool, in case a strategy never ends it.</param>
    /// <exception cref="ArgumentException">There is no such check.</exception>
    /// <exception cref="StrategyContractException">The strategy breaks its contract.</exception>
    public static Task RunAsync(string check, StrategyDescriptor strategy, ContractBudget? budget = null, CancellationToken cancellationToken = default)
    {
        var found = Checks.FirstOrDefault(known => known.Name == check) ?? throw new ArgumentException($"'{check}': no such check", nameof(check));
        return found.RunAsync(strategy, budget, cancellationToken);
    }
}
