using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class ComparisonConclusionTests
{
    private static readonly string[] Labels = ["baseline", "combined", "pipelined"];

    [Fact]
    public void The_conclusion_of_each_strategy_follows_from_its_blocks()
    {
        var conclusion = ComparisonConclusion.Of([.. Enumerable.Range(0, 10).Select(static index => Of(100 + index, 200 + index, 410 - index))], "baseline", 1);

        Assert.Equal(Labels, conclusion.Strategies.Select(static one => one.Strategy));
        Assert.Equal((10, 0, false), (conclusion.Blocks, conclusion.DiscardedBlocks, conclusion.IsNoisy));
        var (baseline, combined, pipelined) = (conclusion.Strategies[0], conclusion.Strategies[1], conclusion.Strategies[2]);
        Assert.Equal((104.5, 20), (baseline.Rate!.Median, baseline.Rate.Count));
        Assert.Null(baseline.ToBaseline);
        Assert.Equal((204.5, 10), (combined.Rate!.Median, combined.Rate.Count));
        Assert.Equal(((204.0 / 104) + (205.0 / 105)) / 2, combined.ToBaseline!.Ratio!.Median, 12);
        Assert.Equal((ConclusionWord.Faster, 10), (combined.ToBaseline.Word, combined.ToBaseline.FasterIn));
        Assert.Equal("baseline", pipelined.ToBaseline!.Reference);
        Assert.Equal(("pipelined", "combined", ConclusionWord.Faster), (conclusion.Best!.Strategy, conclusion.Best.Reference, conclusion.Best.Word));
    }

    // All ten runs of the best above all ten of the next: 2 / C(20, 10), the largest of three probabilities, so that Holm leaves it. Of those to baseline,
    // which ran twenty times, with ties: the smallest is tripled.
    [Fact]
    public void Corrects_the_probabilities_of_all_pairs_together()
    {
        var conclusion = ComparisonConclusion.Of([.. Enumerable.Range(0, 10).Select(static index => Of(100 + index, 200 + index, 410 - index))], "baseline", 1);

        Assert.Equal(2 / 184_756.0, conclusion.Best!.P!.Value, 12);
        Assert.Equal(
            Holm.Adjust([conclusion.Strategies[1].ToBaseline!.P!.Value, conclusion.Strategies[2].ToBaseline!.P!.Value, conclusion.Best.P!.Value]),
            new[] { conclusion.Strategies[1].ToBaseline!, conclusion.Strategies[2].ToBaseline!, conclusion.Best }.Select(static pair => pair.PHolm!.Value)
        );
    }

    [Fact]
    public void Where_baseline_is_among_the_best_two_their_pair_is_tested_once()
    {
        var conclusion = ComparisonConclusion.Of([.. Enumerable.Range(0, 5).Select(static index => Of(100 + index, 50, 40 + index))], "baseline", 1);

        Assert.Equal(("baseline", "combined"), (conclusion.Best!.Strategy, conclusion.Best.Reference));
        Assert.Equal(conclusion.Strategies[1].ToBaseline!.PHolm, conclusion.Best.PHolm);
        Assert.Equal(ConclusionWord.Slower, conclusion.Strategies[1].ToBaseline!.Word);
        Assert.Equal(ConclusionWord.Faster, conclusion.Best.Word);
    }

    [Fact]
    public void One_block_gives_an_indication()
    {
        var conclusion = ComparisonConclusion.Of([Of(100, 200, 400)], "baseline", 1);

        Assert.All(conclusion.Strategies.Skip(1), static one => Assert.Equal(ConclusionWord.Indication, one.ToBaseline!.Word));
        Assert.Equal((ConclusionWord.Indication, 2.0, (double?)null), (conclusion.Best!.Word, conclusion.Best.Ratio!.Median, conclusion.Best.Ratio.Low95));
    }

    [Fact]
    public void A_run_that_is_not_ok_is_counted_and_never_averaged()
    {
        Block[] blocks =
        [
            .. Enumerable.Range(0, 6).Select(static index => Of(100, 200 + index, 400 + index)),
            Of(100, 9999, 400, CellStatus.NotSettled),
            Of(100, 9999, 400, CellStatus.NotSettled),
            Of(100, 9999, 400, CellStatus.FailedVerdict),
        ];

        var conclusion = ComparisonConclusion.Of(blocks, "baseline", 1);

        var combined = conclusion.Strategies[1];
        Assert.Equal((202.5, 6), (combined.Rate!.Median, combined.Rate.Count));
        Assert.Equal(6, combined.ToBaseline!.Ratio!.Count);
        Assert.Equal(new Dictionary<CellStatus, int> { [CellStatus.NotSettled] = 2, [CellStatus.FailedVerdict] = 1 }, combined.Apart);
        Assert.Equal(9, conclusion.Strategies[2].ToBaseline!.Ratio!.Count);
        Assert.Equal(6, conclusion.Best!.Ratio!.Count);
    }

    [Fact]
    public void A_strategy_of_which_no_run_is_ok_has_no_figures()
    {
        var conclusion = ComparisonConclusion.Of([.. Enumerable.Repeat(Of(100, 200, 400, CellStatus.ProfileMissed), 5)], "baseline", 1);

        var combined = conclusion.Strategies[1];
        Assert.Null(combined.Rate);
        Assert.Equal((ConclusionWord.NotRanked, UnrankedReason.NothingToCompare), (combined.ToBaseline!.Word, combined.ToBaseline.Unranked!.Value));
        Assert.Null(combined.ToBaseline.P);
        Assert.Equal(("pipelined", "baseline"), (conclusion.Best!.Strategy, conclusion.Best.Reference));
    }

    [Fact]
    public void Nothing_is_ranked_where_a_strategy_was_bound_by_something_else()
    {
        Assert.All(
            new[] { (CellStatus.InputBound, UnrankedReason.InputBound), (CellStatus.EmulatorBound, UnrankedReason.EmulatorBound) },
            static bound =>
            {
                var conclusion = ComparisonConclusion.Of([.. Enumerable.Repeat(Of(100, 200, 400), 9), Of(100, 200, 400, bound.Item1)], "baseline", 1);

                Assert.Equal(
                    (ConclusionWord.NotRanked, bound.Item2),
                    (conclusion.Strategies[1].ToBaseline!.Word, conclusion.Strategies[1].ToBaseline!.Unranked!.Value)
                );
                Assert.Equal(ConclusionWord.Faster, conclusion.Strategies[2].ToBaseline!.Word);
                Assert.Null(conclusion.Best);
            }
        );
    }

    [Fact]
    public void A_baseline_with_a_growing_lag_does_not_withhold_the_others()
    {
        Block[] blocks =
        [
            .. Enumerable.Repeat(
                new Block([
                    new("baseline", 3, CellStatus.FallsBehind),
                    new("combined", 200),
                    new("pipelined", 400),
                    new("baseline", 1, CellStatus.FallsBehind),
                ]),
                5
            ),
        ];

        var conclusion = ComparisonConclusion.Of(blocks, "baseline", 1);

        Assert.Equal((5, 0, false), (conclusion.Blocks, conclusion.DiscardedBlocks, conclusion.IsNoisy));
        Assert.Equal(("pipelined", "combined", ConclusionWord.Faster), (conclusion.Best!.Strategy, conclusion.Best.Reference, conclusion.Best.Word));
        Assert.All(conclusion.Strategies.Skip(1), static one => Assert.Equal(UnrankedReason.FallsBehind, one.ToBaseline!.Unranked));
    }

    [Fact]
    public void No_pair_gets_a_conclusion_where_the_machine_drifted()
    {
        Block[] blocks =
        [
            .. Enumerable.Repeat(Of(100, 200, 400), 6),
            .. Enumerable.Repeat(new Block([new("baseline", 100), new("combined", 200), new("pipelined", 400), new("baseline", 110)]), 4),
        ];

        var conclusion = ComparisonConclusion.Of(blocks, "baseline", 1);

        Assert.Equal((6, 4, true), (conclusion.Blocks, conclusion.DiscardedBlocks, conclusion.IsNoisy));
        Assert.All(conclusion.Strategies.Skip(1), static one => Assert.Equal(ConclusionWord.Noisy, one.ToBaseline!.Word));
        Assert.Equal(ConclusionWord.Noisy, conclusion.Best!.Word);
    }

    [Fact]
    public void A_comparison_without_blocks_has_no_conclusion()
    {
        var conclusion = ComparisonConclusion.Of([], "baseline", 1);

        Assert.Equal(["baseline"], conclusion.Strategies.Select(static one => one.Strategy));
        Assert.Null(conclusion.Best);
    }

    [Fact]
    public void Ratios_know_no_unit() =>
        Prop.ForAll(
                (from seed in Gen.Choose(0, 1_000_000) from power in Gen.Choose(-10, 10) select (seed, power)).ToArbitrary(),
                static drawn =>
                {
                    var blocks = SimulatedBlocks.Of(6, 1.5, 0.02, drawn.seed);
                    // A power of two changes no digit.
                    Block[] scaled =
                    [
                        .. blocks.Select(block => new Block([.. block.Cells.Select(cell => cell with { Rate = cell.Rate * Math.Pow(2, drawn.power) })])),
                    ];
                    var pair = new ComparedBlocks(blocks, SimulatedBlocks.Baseline, drawn.seed).Compare(SimulatedBlocks.Other, SimulatedBlocks.Baseline);

                    return pair == new ComparedBlocks(scaled, SimulatedBlocks.Baseline, drawn.seed).Compare(SimulatedBlocks.Other, SimulatedBlocks.Baseline);
                }
            )
            .Check(PropertyCases.Times(0.2));

    private static Block Of(double baseline, double combined, double pipelined, CellStatus ofCombined = CellStatus.Ok) =>
        new([new("baseline", baseline), new("combined", combined, ofCombined), new("pipelined", pipelined), new("baseline", baseline)]);
}
