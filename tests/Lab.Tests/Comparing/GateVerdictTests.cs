using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>The result for a build server.</summary>
public sealed class GateVerdictTests
{
    private static readonly string[] Labels = ["baseline", "combined"];

    // A run varies by one or two percent.
    private static readonly double[] Wobble = [1, 1.01, 0.99, 1.015, 0.985, 1.005, 0.995, 1.02, 0.98, 1];

    [Theory]
    [InlineData("combined.rate < 4.5 * baseline.rate", "Passed")]
    [InlineData("combined.rate < 5.5 * baseline.rate", "Failed")]
    [InlineData("combined.rate < 5 * baseline.rate", "Noisy")]
    [InlineData("combined.rate > 4.5 * baseline.rate", "Failed")]
    [InlineData("baseline.rate < 20", "Passed")]
    [InlineData("baseline.rate < 40", "Failed")]
    [InlineData("combined.p50 > 50", "Passed")]
    [InlineData("combined.p50 > 9", "Failed")]
    public async Task A_condition_is_true_or_false_or_undecided(string condition, string expected)
    {
        var verdict = GateVerdict.Of(GateCondition.Read(condition, Labels), await WithAsync(Wobble.Select(static by => (30.0, 150 * by))));

        Assert.Equal(expected, $"{verdict.Outcome}");
        Assert.StartsWith($"{condition}: ", verdict.Line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_verdict_of_a_gate_has_its_figures()
    {
        var result = await WithAsync(Enumerable.Repeat((30.0, 150.0), 10));

        Assert.Equal(
            "combined.rate < 6 * baseline.rate: true, the ratio is 5 (5 to 5) over 10 blocks",
            GateVerdict.Of(GateCondition.Read("combined.rate < 6 * baseline.rate", Labels), result).Line
        );
        Assert.Equal(
            "baseline.rate > 20: true, is 30 (30 to 30) over 10 blocks",
            GateVerdict.Of(GateCondition.Read("baseline.rate > 20", Labels), result).Line
        );
    }

    [Fact]
    public async Task A_noisy_comparison_gives_no_verdict_of_a_gate()
    {
        double[] wild = [1, 1.2, 0.8, 1.3, 0.7, 1.1, 0.9, 1.25, 0.75, 1];
        var result = await WithAsync(wild.Select(static by => (30.0, 150 * by)));

        Assert.Equal(
            (GateOutcome.Noisy, "combined.rate < 9 * baseline.rate: undecided, noisy: the runs vary too much"),
            Parts(GateVerdict.Of(GateCondition.Read("combined.rate < 9 * baseline.rate", Labels), result))
        );
        Assert.Equal(
            GateOutcome.Noisy,
            Assert.Single(GateVerdict.Against(result, result), static one => one.Line.StartsWith("combined", StringComparison.Ordinal)).Outcome
        );
    }

    [Fact]
    public async Task A_rate_that_is_bound_by_the_input_gives_no_verdict_of_a_gate()
    {
        var plan = await PlanAsync("--strategies=baseline,combined", "--repeats=10");
        var cells = Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 150], 10)]).ToList();
        cells[1] = cells[1].With(RateBound.Input);

        var verdict = GateVerdict.Of(GateCondition.Read("combined.rate < baseline.rate", Labels), GetResult(plan, cells));

        Assert.Equal((GateOutcome.BoundElsewhere, "combined.rate < baseline.rate: undecided, combined is not ranked: input-bound"), Parts(verdict));
    }

    [Theory]
    [InlineData(1.0, "Passed")]
    [InlineData(0.99, "Passed")]
    [InlineData(0.9, "Failed")]
    [InlineData(1.2, "Passed")]
    public async Task An_earlier_comparison_is_held_against_by_rates(double factor, string expected)
    {
        var before = await WithAsync(Wobble.Select(static by => (30.0, 150 * by)));
        var now = await WithAsync(Wobble.Reverse().Select(by => (30.0, 150 * factor * by)));

        var verdicts = GateVerdict.Against(now, before);

        Assert.Equal(["Passed", expected], verdicts.Select(static one => $"{one.Outcome}"));
    }

    private static (GateOutcome Outcome, string Line) Parts(GateVerdict verdict) => (verdict.Outcome, verdict.Line);

    private static async Task<ComparisonResult> WithAsync(IEnumerable<(double Baseline, double Combined)> blocks)
    {
        var rates = blocks.Select(static block => (IReadOnlyList<double>)[block.Baseline, block.Combined]).ToArray();
        var plan = await PlanAsync("--strategies=baseline,combined", $"--repeats={rates.Length}");
        return GetResult(plan, Blocks(plan, rates));
    }
}
