using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class IndependentRatioTests
{
    [Fact]
    public void Is_the_ratio_of_the_medians_with_an_interval_around_it()
    {
        double[] above = [110, 112, 108, 111, 109];
        double[] below = [100, 101, 99, 102, 98];

        var ratio = IndependentRatio.Of(above, below, seed: 1)!;

        Assert.Equal((1.1, 5), (ratio.Median, ratio.Count));
        Assert.InRange(ratio.Low95!.Value, 108 / 102.0, 1.1);
        Assert.InRange(ratio.High95!.Value, 1.1, 112 / 98.0);
        Assert.Equal(ratio, IndependentRatio.Of([.. above.Reverse()], below, seed: 1));
    }

    [Fact]
    public void Has_no_ends_where_either_side_has_too_few()
    {
        Assert.Null(IndependentRatio.Of([1, 1, 1, 1, 1], [2, 2, 2, 2], seed: 1)!.Low95);
        Assert.Null(IndependentRatio.Of([], [2], seed: 1));
    }

    [Fact]
    public void Equal_sides_are_distinguished_in_few_of_a_hundred_trials()
    {
        var apart = Enumerable
            .Range(0, 100)
            .Count(static trial =>
            {
                var draws = new SeededSequence(trial);
                double[] Runs() => [.. Enumerable.Range(0, 10).Select(_ => 100 * (1 + (0.03 * Normal(draws))))];
                var ratio = IndependentRatio.Of(Runs(), Runs(), trial)!;
                return ratio.Low95 > ConclusionRule.Margin || ratio.High95 < 1 / ConclusionRule.Margin;
            });

        Assert.InRange(apart, 0, 5);
    }

    [Fact]
    public void A_tenth_is_found_in_nearly_all_of_a_hundred_trials()
    {
        var found = Enumerable
            .Range(0, 100)
            .Count(static trial =>
            {
                var draws = new SeededSequence(trial);
                double[] Runs(double mean) => [.. Enumerable.Range(0, 10).Select(_ => mean * (1 + (0.03 * Normal(draws))))];
                return IndependentRatio.Of(Runs(90), Runs(100), trial)!.High95 < 1 / ConclusionRule.Margin;
            });

        Assert.InRange(found, 95, 100);
    }

    // Twelve uniform numbers less six: mean 0, variance 1.
    private static double Normal(SeededSequence draws) => Enumerable.Range(0, 12).Sum(_ => draws.Fraction()) - 6;
}
