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
        var (check, message, strategy) = BrokenStrategies.All[index];

        var failure = await Assert.ThrowsAsync<StrategyContractException>(() =>
            StrategyContract.RunAsync(check, strategy, Explored, TestContext.Current.CancellationToken)
        );

        Assert.StartsWith($"strategy '{strategy.Name}' breaks \"{check}\": ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(message, failure.Message, StringComparison.Ordinal);
    }

    // One defect each, and none that leaves virtual time, as its behaviour differs between runs. The words are true of this defect and of no other,
    // for any check that finds it.
    [Theory]
    [InlineData("no-degree", "MaxConcurrency is", "start each write on a separate stack", "although it was cancelled before")]
    [InlineData("twice", " 2 times", "2000 writes of 1000 events")]
    [InlineData("forgets-a-sink", " 0 times", "not written to every sink", "0 writes in flight, 14 of 42 done", "b was given 0 writes")]
    [InlineData("no-order", "before event 0 was written", "MaxConcurrency is 1", "start each write on a separate stack", "although it was cancelled before")]
    [InlineData(
        "swallows",
        "reported it",
        "did not report it",
        "it was not reported: call ReportFailure",
        "it continued to the last of 40 events",
        "neither a dispatch nor the drain threw OperationCanceledException",
        "was begun after the cancellation",
        "although it was cancelled before"
    )]
    [InlineData("deaf", "Noticed threw NotSupportedException")]
    [InlineData("keeps-the-token", "hand the token on to the sinks", "was begun after the cancellation", "although it was cancelled before")]
    [InlineData("trusts-its-sinks", "was begun after the cancellation")]
    [InlineData("goes-on-after-failures", "it continued to the last of 40 events after event 5 had failed")]
    [InlineData("cuts-the-others", "was cut because another one failed")]
    [InlineData("tells-nonsense", "called ReportConcurrency with 0")]
    [InlineData("leaves-a-timer", "timers were still set after its disposal")]
    [InlineData("never-leaves", "entries of the shared limit")]
    public async Task Every_check_that_finds_a_wrong_strategy_reports_its_fault(string name, params string[] truths)
    {
        var strategy = BrokenStrategies.All.First(broken => broken.Strategy.Name == name).Strategy;
        var charges = new List<string>();
        foreach (var check in StrategyContract.Names)
        {
            if (await Record.ExceptionAsync(() => StrategyContract.RunAsync(check, strategy, Explored, TestContext.Current.CancellationToken)) is { } found)
            {
                charges.Add(found.Message);
            }
        }

        Assert.NotEmpty(charges);
        Assert.All(charges, charge => Assert.Contains(truths, truth => charge.Contains(truth, StringComparison.Ordinal)));
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
