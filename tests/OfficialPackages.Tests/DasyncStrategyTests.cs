using EventHubThroughput.Strategies.Contract;
using Xunit;

namespace EventHubThroughput.OfficialPackages;

public sealed class DasyncStrategyTests
{
    public static TheoryData<string, string> Parts =>
        [.. from strategy in OfficialComponents.Strategies from check in StrategyContract.Names select new TheoryDataRow<string, string>(strategy.Name, check)];

    [Theory]
    [MemberData(nameof(Parts))]
    public Task Every_strategy_keeps_each_part_of_the_contract(string strategy, string check) =>
        StrategyContract.RunAsync(
            check,
            OfficialComponents.Strategies.Single(known => known.Name == strategy),
            cancellationToken: TestContext.Current.CancellationToken
        );
}
