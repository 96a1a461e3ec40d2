using Xunit;

namespace EventHubThroughput.Comparison.Tests;

/// <summary>A hundred comparisons each, simulated with independent normal runs: how often the words and the gate are right. The seeds are 0 to 99.</summary>
public sealed class SimulatedComparisonTests(ITestOutputHelper output)
{
    private const int Trials = 100;

    [Theory]
    [InlineData(10, 0.01)]
    [InlineData(10, 0.02)]
    [InlineData(10, 0.03)]
    [InlineData(10, 0.05)]
    [InlineData(10, 0.08)]
    [InlineData(5, 0.01)]
    [InlineData(5, 0.03)]
    [InlineData(5, 0.08)]
    public void A_strategy_against_itself_is_called_faster_or_slower_in_at_most_five_of_a_hundred(int blocks, double runCv)
    {
        var words = Compare(blocks, 1, runCv).Select(static pair => pair.Word).ToList();
        output.WriteLine(string.Join(", ", words.CountBy(static word => word)));

        Assert.InRange(words.Count(static word => word is ConclusionWord.Faster or ConclusionWord.Slower), 0, 5);
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.02)]
    [InlineData(0.03)]
    public void Ten_blocks_find_a_slowdown_of_ten_percent_and_raise_no_false_alarm(double runCv)
    {
        Assert.InRange(Judge(0.9, runCv)[GateOutcome.Failed], 95, 100);

        var equal = Judge(1, runCv);
        Assert.Equal(0, equal[GateOutcome.Failed]);
        Assert.InRange(equal[GateOutcome.Passed], 95, 100);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(0.9)]
    public void Noisier_runs_are_called_noisy_in_every_trial(double ratio) => Assert.Equal(Trials, Judge(ratio, 0.08)[GateOutcome.Noisy]);

    // Between the two the gate has a verdict now and then. It must not be wrong then.
    [Theory]
    [InlineData(0.04)]
    [InlineData(0.05)]
    [InlineData(0.06)]
    public void Runs_that_are_a_little_noisier_are_judged_seldom_and_seldom_wrongly(double runCv)
    {
        Assert.InRange(Judge(0.9, runCv)[GateOutcome.Passed], 0, 5);
        Assert.InRange(Judge(1, runCv)[GateOutcome.Failed], 0, 5);
    }

    [Fact]
    public void Fewer_than_ten_blocks_are_too_few_for_a_gate() =>
        Assert.All(Simulate(9, 0.9, 0.01), static blocks => Assert.Equal(GateOutcome.TooFewBlocks, Judge(blocks)));

    [Fact]
    public void A_gate_is_undecided_where_a_run_was_bound_by_something_else()
    {
        Block[] blocks =
        [
            .. SimulatedBlocks.Of(10, 0.9, 0.01, seed: 1),
            new([new("baseline", 1000), new("other", 1000, CellStatus.InputBound), new("baseline", 1000)]),
        ];

        Assert.Equal(GateOutcome.BoundElsewhere, Judge(new(blocks, "baseline", seed: 1)));
    }

    [Theory]
    [InlineData(0.10, nameof(GateOutcome.Passed))]
    [InlineData(0.05, nameof(GateOutcome.Noisy))]
    public void A_gate_passes_only_where_the_slowdown_is_excluded(double slowdown, string outcome)
    {
        // Ratios from 0.93 to 1.01.
        Block[] blocks =
        [
            .. Enumerable.Range(0, 10).Select(static index => new Block([new("baseline", 1000), new("other", 930 + (index / 2 * 20)), new("baseline", 1000)])),
        ];

        Assert.Equal(outcome, SlowdownGate.Judge(new(blocks, "baseline", seed: 1), "other", "baseline", slowdown).ToString());
    }

    [Fact]
    public void A_large_difference_shows_through_the_noise_of_a_comparison()
    {
        var words = Compare(10, 9, 0.06).Select(static pair => pair.Word).ToList();

        Assert.All(words, static word => Assert.True(word is ConclusionWord.Faster or ConclusionWord.Noisy));
        Assert.InRange(words.Count(static word => word == ConclusionWord.Faster), 30, Trials);
    }

    // The machine becomes slower by a tenth over the ten blocks: the ratios do not see it, and the 20 runs of baseline scatter by 3.1 % for it.
    [Fact]
    public void A_machine_that_slowly_becomes_slower_changes_no_ratio()
    {
        Block[] blocks =
        [
            .. Enumerable
                .Range(0, 10)
                .Select(static index => 1 - (0.01 * index))
                .Select(static pace => new Block([new("baseline", 1000 * pace), new("other", 900 * pace), new("baseline", 995 * pace)])),
        ];

        Assert.Equal(GateOutcome.Failed, Judge(new(blocks, "baseline", seed: 1)));
    }

    private Dictionary<GateOutcome, int> Judge(double ratio, double runCv)
    {
        var outcomes = Simulate(10, ratio, runCv).CountBy(Judge).ToDictionary();
        output.WriteLine($"ratio {ratio}, run CV {runCv}: {string.Join(", ", outcomes)}");
        return Enum.GetValues<GateOutcome>().ToDictionary(static outcome => outcome, outcome => outcomes.GetValueOrDefault(outcome));
    }

    private static GateOutcome Judge(ComparedBlocks blocks) => SlowdownGate.Judge(blocks, SimulatedBlocks.Other, SimulatedBlocks.Baseline);

    private static IEnumerable<PairConclusion> Compare(int blocks, double ratio, double runCv) =>
        Simulate(blocks, ratio, runCv).Select(static compared => compared.Compare(SimulatedBlocks.Other, SimulatedBlocks.Baseline));

    private static IEnumerable<ComparedBlocks> Simulate(int blocks, double ratio, double runCv) =>
        Enumerable.Range(0, Trials).Select(seed => new ComparedBlocks(SimulatedBlocks.Of(blocks, ratio, runCv, seed), SimulatedBlocks.Baseline, seed));
}
