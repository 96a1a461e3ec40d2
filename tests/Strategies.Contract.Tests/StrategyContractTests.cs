using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Contract.Tests;

/// <summary>The contract of strategies can fail: each check finds a strategy that breaks it.</summary>
public sealed class StrategyContractTests
{
    private static readonly ContractBudget Explored = new() { Schedules = Budget.Cases, FirstSeed = Budget.FirstSeed };

    public static TheoryData<int> Broken => [.. Enumerable.Range(0, BrokenStrategies.All.Count)];

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task A_strategy_that_breaks_a_part_is_found_out_by_its_check_in_words_that_say_why(int index)
    {
        var (check, says, strategy) = BrokenStrategies.All[index];

        var failure = await Assert.ThrowsAsync<StrategyContractException>(() =>
            StrategyContract.RunAsync(check, strategy, Explored, TestContext.Current.CancellationToken)
        );

        Assert.StartsWith($"strategy '{strategy.Name}' breaks \"{check}\": ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_check_has_a_strategy_that_it_finds_out() =>
        Assert.Equal(StrategyContract.Names.Order(), BrokenStrategies.All.Select(broken => broken.Check).Distinct().Order());

    [Fact]
    public async Task The_schedule_that_a_failure_names_repeats_it()
    {
        var (check, _, strategy) = BrokenStrategies.All.First(broken => broken.Check == "keeps the order that it declares");
        var failure = await Assert.ThrowsAsync<StrategyContractException>(() =>
            StrategyContract.RunAsync(check, strategy, Explored, TestContext.Current.CancellationToken)
        );
        var seed = int.Parse(failure.Message.Split("FirstSeed ")[1].Split(' ')[0]);

        var again = await Assert.ThrowsAsync<StrategyContractException>(() =>
            StrategyContract.RunAsync(check, strategy, new ContractBudget { FirstSeed = seed, Schedules = 1 }, TestContext.Current.CancellationToken)
        );

        Assert.Equal(failure.Message, again.Message);
    }

    [Fact]
    public async Task A_check_that_there_is_not_is_refused() =>
        Assert.StartsWith(
            "'is quick': no such check",
            (
                await Assert.ThrowsAsync<ArgumentException>(() =>
                    StrategyContract.RunAsync("is quick", StrategyCatalog.Safe[0], Explored, TestContext.Current.CancellationToken)
                )
            ).Message,
            StringComparison.Ordinal
        );
}
