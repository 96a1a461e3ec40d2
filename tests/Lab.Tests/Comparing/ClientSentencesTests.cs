using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>The sentences of a comparison about the same strategy on both families of clients.</summary>
public sealed class ClientSentencesTests
{
    private const string Start = "Clients: ";

    [Theory]
    [InlineData(120.0, 150.0, "combined:clients=builtin has 1.25 x the rate of combined (no interval), with 1.00 x the processor time per event.")]
    [InlineData(150.0, 120.0, "combined:clients=builtin has 0.80 x the rate of combined (no interval), with 1.00 x the processor time per event.")]
    public async Task Both_families_of_one_strategy_get_a_sentence_in_either_order_of_speed(double official, double builtIn, string expected)
    {
        var plan = await PlanAsync("--strategies=combined,combined:clients=builtin");

        var result = GetResult(plan, Blocks(plan, [official, builtIn]));

        Assert.Equal(Start + expected, Assert.Single(result.Sentences, static one => one.StartsWith(Start, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Interval_is_that_of_the_built_in_rate_by_the_official_one()
    {
        var plan = await PlanAsync("--strategies=combined,combined:clients=builtin", "--repeats=5");

        var result = GetResult(plan, Blocks(plan, [100, 80], [100, 80], [100, 80], [100, 80], [100, 80]));

        Assert.Contains(
            "has 0.80 x the rate of combined (0.80 to 0.80)",
            Assert.Single(result.Sentences, static one => one.StartsWith(Start, StringComparison.Ordinal)),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("--strategies=combined,pipelined:clients=builtin")]
    [InlineData("--strategies=combined:degree=8,combined:degree=16:clients=builtin")]
    [InlineData("--strategies=combined:clients=builtin,pipelined:clients=builtin")]
    public async Task Strategies_that_differ_in_more_than_their_clients_get_none(string strategies)
    {
        var plan = await PlanAsync(strategies);

        var result = GetResult(plan, Blocks(plan, [100, 150]));

        Assert.DoesNotContain(result.Sentences, static one => one.StartsWith(Start, StringComparison.Ordinal));
    }
}
