using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class DriftRuleTests
{
    [Theory]
    [InlineData(1000, 1050, true)]
    [InlineData(1000, 950, true)]
    [InlineData(1000, 1051, false)]
    [InlineData(1000, 949, false)]
    public void A_block_counts_whose_baselines_differ_by_at_most_a_twentieth_of_the_first(double first, double last, bool counts) =>
        Assert.Equal(counts, DriftRule.Keeps(Of(first, last), "baseline"));

    [Theory]
    [InlineData(0, 0, true)]
    [InlineData(4, 0, true)]
    [InlineData(5, 0, false)]
    [InlineData(4, 1, true)]
    [InlineData(4, 5, true)]
    [InlineData(4, 6, false)]
    [InlineData(0, 10, false)]
    public void Discarded_blocks_are_replaced_up_to_twice_the_wanted_number_of_blocks(int kept, int discarded, bool wantsAnother) =>
        Assert.Equal(wantsAnother, DriftRule.WantsAnother(kept + discarded, kept, wanted: 5));

    [Theory]
    [InlineData(1, 0, true)]
    [InlineData(1, 1, false)]
    [InlineData(4, 3, true)]
    [InlineData(4, 4, false)]
    public void Where_there_is_no_interval_every_block_counts_and_none_is_replaced(int wanted, int run, bool wantsAnother)
    {
        Assert.Equal(wantsAnother, DriftRule.WantsAnother(run, run, wanted));
        Assert.True(DriftRule.Counts(Of(1000, 2000), "baseline", wanted));
        Assert.False(DriftRule.Counts(Of(1000, 2000), "baseline", 5));
    }

    [Fact]
    public void The_reference_of_a_block_is_the_mean_of_its_baselines() => Assert.Equal(1020, Of(1000, 1040).GetRate("baseline"));

    [Fact]
    public void A_block_with_a_baseline_that_is_not_ok_does_not_count_and_has_no_reference() =>
        Assert.All(
            Enum.GetValues<CellStatus>().Except([CellStatus.Ok, CellStatus.FallsBehind]),
            static status =>
            {
                var block = new Block([new("baseline", 1000), new("other", 1000), new("baseline", 1000, status)]);

                Assert.False(DriftRule.Keeps(block, "baseline"));
                Assert.Null(block.GetRate("baseline"));
                Assert.Equal(1000, block.GetRate("other"));
            }
        );

    [Theory]
    [InlineData("Ok", "FallsBehind", true)]
    [InlineData("FallsBehind", "FallsBehind", true)]
    [InlineData("FallsBehind", "ProfileMissed", false)]
    public void A_block_whose_baseline_has_a_growing_lag_counts_for_the_others(string first, string last, bool counts)
    {
        var block = new Block([new("baseline", 1000, Enum.Parse<CellStatus>(first)), new("other", 1000), new("baseline", 200, Enum.Parse<CellStatus>(last))]);

        Assert.Equal(counts, DriftRule.Keeps(block, "baseline"));
        Assert.Null(block.GetRate("baseline"));
    }

    [Theory]
    [InlineData(1, 0, false)]
    [InlineData(1, 1, true)]
    [InlineData(3, 1, false)]
    [InlineData(3, 2, true)]
    [InlineData(10, 3, false)]
    [InlineData(10, 4, true)]
    [InlineData(15, 5, false)]
    [InlineData(15, 6, true)]
    public void A_comparison_is_noisy_when_more_than_a_third_of_its_blocks_drifted(int blocks, int drifted, bool isNoisy) =>
        Assert.Equal(isNoisy, DriftRule.FindsNoise([.. Enumerable.Range(0, blocks).Select(index => Of(1000, index < drifted ? 1060 : 1000))], "baseline"));

    [Fact]
    public void A_machine_that_becomes_slower_in_every_block_is_noisy() =>
        Assert.True(DriftRule.FindsNoise([.. Enumerable.Range(0, 10).Select(static index => Of(1000, 930 + index))], "baseline"));

    [Fact]
    public void Blocks_whose_baseline_is_not_ok_do_not_count_as_drift()
    {
        Block[] blocks = [.. Enumerable.Repeat(new Block([new("baseline", 1000), new("baseline", 1, CellStatus.FailedVerdict)]), 5)];

        Assert.False(DriftRule.FindsNoise(blocks, "baseline"));
        Assert.Equal(UnrankedReason.NothingToCompare, new ComparedBlocks(blocks, "baseline", seed: 1).Compare("other", "baseline").Unranked);
    }

    private static Block Of(double first, double last) => new([new("baseline", first), new("other", 1000), new("baseline", last)]);
}
