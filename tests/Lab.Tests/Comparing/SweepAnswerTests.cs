using EventHubThroughput.Lab.Comparing;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>The first sentence of a sweep: what to use, against the best of the next series.</summary>
public sealed class SweepAnswerTests
{
    private const string Price = "It keeps no order, and a crash may repeat 2,128 events instead of 10.";

    [Fact]
    public async Task The_winner_is_compared_with_the_best_of_the_next_series()
    {
        var sentences = await DescribeAsync(repeats: 5, [30, 60, 90, 54, 400, 405]);

        Assert.Equal($"Use pipelined:degree=8: 400 events/s (400 – 400), 4.44 x as fast as combined:degree=64 (4.44 to 4.44). {Price}", sentences[0]);
        Assert.StartsWith("combined: use degree 64", sentences[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_block_is_an_indication() =>
        Assert.Equal(
            $"Use pipelined:degree=8: 400 events/s, 4.44 x as fast as combined:degree=64 (an indication, 1 block). {Price}",
            (await DescribeAsync(repeats: 1, [30, 60, 90, 54, 400, 405]))[0]
        );

    [Fact]
    public async Task Equal_series_have_the_word_of_a_comparison() =>
        Assert.StartsWith(
            "Use pipelined:degree=8: 400 events/s (400 – 400). The ratio to combined:degree=64 is 1.0 (1.00 to 1.00): no difference.",
            (await DescribeAsync(repeats: 5, [30, 60, 399, 54, 400, 405]))[0],
            StringComparison.Ordinal
        );

    [Fact]
    public async Task A_single_degree_is_the_fastest_and_not_recommended()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=8");

        Assert.StartsWith("The fastest is pipelined:degree=8: ", GetResult(plan, Blocks(plan, [150, 400])).Sentences[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_rate_the_sentences_of_the_series_come_first()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=1,8");
        var cells = Blocks(plan, [54, 400]).Select(static cell => cell with { Apart = "its process ended with code 4", Result = null });

        Assert.Equal("pipelined: no cell was measured.", GetResult(plan, [.. cells]).Sentences[0]);
    }

    private static async Task<IReadOnlyList<string>> DescribeAsync(int repeats, IReadOnlyList<double> rates)
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=1,8,64", $"--repeats={repeats}");
        return GetResult(plan, Blocks(plan, [.. Enumerable.Repeat(rates, repeats)])).Sentences;
    }
}
