using EventHubThroughput.Strategies.Contract;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>The contract of every strategy of the catalogue that is not unsafe, and of one that keeps the order of keys.</summary>
public sealed class StrategyContractTests
{
    private static readonly StrategyDescriptor[] Subjects = [.. StrategyCatalog.Safe, LanesStrategy.Descriptor];

    private static readonly ContractBudget Explored = new() { Schedules = Budget.Cases, FirstSeed = Budget.FirstSeed };

    public static TheoryData<string, string> Parts =>
        [.. from strategy in Subjects from check in StrategyContract.Names select new TheoryDataRow<string, string>(strategy.Name, check)];

    [Theory]
    [MemberData(nameof(Parts))]
    public Task Every_strategy_keeps_each_part_of_the_contract(string strategy, string check) =>
        StrategyContract.RunAsync(check, Subjects.Single(known => known.Name == strategy), Explored, TestContext.Current.CancellationToken);
}
