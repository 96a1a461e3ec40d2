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
    public async Task Another_strategy_is_preferred_to_another_batch()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=8,64", "--batches=10,100");

        Assert.StartsWith(
            "Use pipelined:batch=100:degree=64: 2,700 events/s, 3.0 x as fast as combined:batch=100:degree=64 (an indication",
            GetResult(plan, Blocks(plan, [100, 150, 300, 900, 400, 2_600, 400, 2_700])).Sentences[0],
            StringComparison.Ordinal
        );
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
            "Use pipelined:degree=8: 400 events/s (400 – 400). The ratio to combined:degree=64 is 1.0 (1.00 to 1.00), no difference.",
            (await DescribeAsync(repeats: 5, [30, 60, 399, 54, 400, 405]))[0],
            StringComparison.Ordinal
        );

    [Fact]
    public async Task Cells_too_short_for_a_steady_state_decide_nothing() =>
        Assert.StartsWith(
            "Use pipelined:degree=8: 400 events/s (400 – 400). The ratio to combined:degree=64 is 4.44 (4.44 to 4.44), not decided: steady state unknown.",
            (await DescribeAsync(repeats: 5, [30, 60, 90, 54, 400, 405], settled: null))[0],
            StringComparison.Ordinal
        );

    [Fact]
    public async Task The_answer_of_the_cells_that_count_follows_the_reason_for_the_others()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=1,8");
        var cells = Blocks(plan, [30, 60, 54, 400])
            .Select(static cell =>
                cell.Label == "combined:degree=8"
                    ? cell with
                    {
                        Apart = "the latencies of the emulator were 20.0 % off the profile",
                        ProfileMissedBy = 0.2,
                    }
                    : cell
            );

        var sentences = GetResult(plan, [.. cells]).Sentences;

        Assert.StartsWith("The answer is incomplete: ", sentences[0], StringComparison.Ordinal);
        Assert.Contains(sentences, static one => one.StartsWith("Of the cells that count: Use pipelined:degree=8: 400 events/s", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_single_degree_is_not_recommended()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=8");

        Assert.StartsWith("pipelined:degree=8 has the highest rate: ", GetResult(plan, Blocks(plan, [150, 400])).Sentences[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_rate_there_is_no_winner()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=1,8");
        var cells = Blocks(plan, [54, 400]).Select(static cell => cell with { Apart = "its process ended with code 4", Result = null });

        var sentences = GetResult(plan, [.. cells]).Sentences;
        Assert.StartsWith("No answer: ", sentences[0], StringComparison.Ordinal);
        Assert.Contains("pipelined: no cell was measured.", sentences);
        Assert.DoesNotContain(sentences, static one => one.Contains("highest rate", StringComparison.Ordinal));
    }

    private static async Task<IReadOnlyList<string>> DescribeAsync(int repeats, IReadOnlyList<double> rates, bool? settled = true)
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=combined,pipelined", "--degrees=1,8,64", $"--repeats={repeats}");
        return GetResult(plan, [.. Blocks(plan, [.. Enumerable.Repeat(rates, repeats)]).Select(cell => cell.Settled(settled))]).Sentences;
    }
}
