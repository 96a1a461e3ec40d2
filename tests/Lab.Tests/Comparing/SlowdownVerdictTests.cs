using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>What becomes of a build that is held against another one.</summary>
public sealed class SlowdownVerdictTests
{
    // A run varies by one or two percent.
    private static readonly double[] Wobble = [1, 1.01, 0.99, 1.015, 0.985, 1.005, 0.995, 1.02, 0.98, 1];

    [Theory]
    [InlineData(1.0, "Passed", "combined:degree=8 against combined: passed, no slowdown of 10 %, 1 x (")]
    [InlineData(0.85, "Failed", "combined:degree=8 against combined: slower, 0.85 x (")]
    [InlineData(0.9, "Failed", "combined:degree=8 against combined: slower, 0.9 x (")]
    public async Task A_slowdown_is_found_and_its_absence_passes(double ratio, string outcome, string line)
    {
        var verdict = await OfAsync("--repeats=10", Wobble.Select(by => (100.0, 100 * ratio * by)));

        Assert.Equal(outcome, $"{verdict.Outcome}");
        Assert.StartsWith(line, verdict.Line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Runs_that_scatter_get_no_verdict()
    {
        double[] wild = [1, 1.2, 0.8, 1.3, 0.7, 1.1, 0.9, 1.25, 0.75, 1];

        var verdict = await OfAsync("--repeats=10", wild.Select(static by => (100.0, 100 * by)));

        Assert.Equal(GateOutcome.Noisy, verdict.Outcome);
        Assert.StartsWith("combined:degree=8 against combined: noisy, no conclusion, ", verdict.Line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Missing_blocks_do_not_pass_the_slowdown_gate()
    {
        var verdict = await OfAsync("--repeats=10", Wobble.Take(8).Select(static by => (100.0, 100 * by)));

        Assert.Equal(GateOutcome.TooFewBlocks, verdict.Outcome);
        Assert.StartsWith("combined:degree=8 against combined: undecided, 10 blocks are needed, ", verdict.Line, StringComparison.Ordinal);
        Assert.EndsWith(" over 8 blocks", verdict.Line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_rate_that_is_bound_by_the_emulator_does_not_pass_the_slowdown_gate()
    {
        var plan = await PlanOfAsync("--repeats=10");
        IReadOnlyList<Lab.Results.ComparedCell> cells =
        [
            .. Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([100, 100], 10)]).Select(static cell => cell.With(RateBound.Emulator)),
        ];

        Assert.Equal(GateOutcome.BoundElsewhere, Assert.Single(SlowdownVerdict.Of(GetResult(plan, cells), plan.Gates.Slowdown!.Value)).Outcome);
    }

    private static Task<ComparisonPlan> PlanOfAsync(string repeats) =>
        PlanAsync("--strategies=combined,combined:degree=8", repeats, "--fail-if-slower=10", "--measure=5s", "--warm-up=2s");

    private static async Task<GateVerdict> OfAsync(string repeats, IEnumerable<(double Reference, double Other)> blocks)
    {
        var plan = await PlanOfAsync(repeats);
        var result = GetResult(plan, Blocks(plan, [.. blocks.Select(static block => (IReadOnlyList<double>)[block.Reference, block.Other])]));
        return Assert.Single(SlowdownVerdict.Of(result, plan.Gates.Slowdown!.Value));
    }
}
