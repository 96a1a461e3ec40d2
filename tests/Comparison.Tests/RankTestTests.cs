using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Comparison.Tests;

/// <summary>The tests of Mann and Whitney, Mann and Kendall, and the correction of Holm, against printed tables and values computed manually.</summary>
public sealed class RankTestTests
{
    // Hollander and Wolfe, Nonparametric Statistical Methods (1973), p. 69: permeability of membranes at term (10) and at 12 to 26 weeks (5).
    // One-sided 0.1272 (R, wilcox.test).
    [Fact]
    public void Mann_Whitney_gives_what_Hollander_and_Wolfe_print() =>
        Assert.Equal(
            0.2544,
            MannWhitney.TwoSidedP([0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.90, 0.74, 1.21])!.Value,
            0.0001
        );

    // The largest U that is significant at 5 %, two-sided (tables of Mann and Whitney 1947 and of every textbook).
    [Theory]
    [InlineData(5, 5, 2)]
    [InlineData(5, 10, 8)]
    [InlineData(8, 8, 13)]
    [InlineData(10, 10, 23)]
    [InlineData(10, 20, 55)]
    [InlineData(20, 20, 127)]
    public void Mann_Whitney_is_significant_up_to_the_printed_U(int first, int second, int largest)
    {
        Assert.True(MannWhitney.TwoSidedP(Beating(largest, first, second), Others(second)) <= 0.05);
        Assert.True(MannWhitney.TwoSidedP(Beating(largest + 1, first, second), Others(second)) > 0.05);
    }

    // 2 of the 20 orders of three and three are as extreme.
    [Fact]
    public void Mann_Whitney_of_three_and_three_apart_is_a_tenth() => Assert.Equal(0.1, MannWhitney.TwoSidedP([1, 2, 3], [4, 5, 6])!.Value, 12);

    // U = 1, mean 4.5, one tie of three: variance 9 / 12 x (7 - 24 / 30) = 4.65, z = (3.5 - 0.5) / 2.1564 = 1.3912.
    [Fact]
    public void Mann_Whitney_corrects_for_ties_and_for_continuity() => Assert.Equal(0.1642, MannWhitney.TwoSidedP([1, 2, 2], [2, 3, 4])!.Value, 0.0001);

    [Fact]
    public void Mann_Whitney_of_equal_values_is_certain_and_of_none_nothing()
    {
        Assert.Equal(1, MannWhitney.TwoSidedP([2, 2, 2], [2, 2]));
        Assert.Null(MannWhitney.TwoSidedP([], [1, 2]));
        Assert.Null(MannWhitney.TwoSidedP([1, 2], []));
    }

    [Fact]
    public void Mann_Whitney_is_the_same_from_both_sides_and_in_any_unit() =>
        Prop.ForAll(
                (from first in Gen.Choose(0, 500).ListOf() from second in Gen.Choose(100, 600).ListOf() select (first, second)).ToArbitrary(),
                static drawn =>
                {
                    double[] first = [.. drawn.first.Select(static one => (double)one)];
                    double[] second = [.. drawn.second.Select(static one => (double)one)];
                    var p = MannWhitney.TwoSidedP(first, second) ?? 1;
                    var swapped = MannWhitney.TwoSidedP(second, first) ?? 1;
                    // Counts beyond 2^53 are rounded.
                    return p is >= 0 and <= 1
                        && Math.Abs(p - swapped) < 1e-12
                        && p == (MannWhitney.TwoSidedP([.. first.Select(Math.Sqrt)], [.. second.Select(Math.Sqrt)]) ?? 1);
                }
            )
            .Check(PropertyCases.Usual);

    // Gilbert, Statistical Methods for Environmental Pollution Monitoring (1987), table A18, one-sided.
    [Theory]
    [InlineData(new double[] { 1, 2, 3, 4, 5, 6 }, 0.0014)]
    [InlineData(new double[] { 2, 1, 3, 4, 5, 6 }, 0.0083)]
    [InlineData(new double[] { 2, 1, 4, 3, 5, 6 }, 0.028)]
    [InlineData(new double[] { 2, 1, 4, 3, 6, 5 }, 0.068)]
    [InlineData(new double[] { 5, 4, 3, 2, 1 }, 0.0083)]
    [InlineData(new double[] { 4, 5, 3, 2, 1 }, 0.042)]
    public void Mann_Kendall_gives_twice_what_Gilbert_prints(double[] values, double oneSided) =>
        Assert.Equal(2 * oneSided, MannKendall.TwoSidedP(values), 0.001);

    // S = 5 of six pairs, one tie of two: variance (4 x 3 x 13 - 2 x 1 x 9) / 18 = 7.667, z = (5 - 1) / 2.7689 = 1.4446.
    [Fact]
    public void Mann_Kendall_corrects_for_ties_and_for_continuity() => Assert.Equal(0.1486, MannKendall.TwoSidedP([1, 2, 2, 3]), 0.0001);

    [Fact]
    public void Mann_Kendall_sees_no_trend_in_equal_or_few_values()
    {
        Assert.Equal(1, MannKendall.TwoSidedP([5, 5, 5, 5, 5, 5]));
        Assert.Equal(1, MannKendall.TwoSidedP([1, 2]));
    }

    // R, p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
    [Fact]
    public void Holm_gives_what_R_gives() =>
        Assert.Equal([0.03, 0.06, 0.06, 0.02], Holm.Adjust([0.01, 0.04, 0.03, 0.005]).Select(static p => Math.Round(p, 12)));

    [Fact]
    public void Holm_keeps_the_order_and_never_lowers_a_probability() =>
        Prop.ForAll(
                Gen.Choose(0, 1000).ListOf().ToArbitrary(),
                static drawn =>
                {
                    double[] raw = [.. drawn.Select(static one => one / 1000.0)];
                    var adjusted = Holm.Adjust(raw);
                    var inOrder = raw.Zip(adjusted).OrderBy(static pair => pair.First).Select(static pair => pair.Second).ToList();
                    return raw.Zip(adjusted).All(static pair => pair.Second >= pair.First && pair.Second <= 1) && inOrder.SequenceEqual(inOrder.Order());
                }
            )
            .Check(PropertyCases.Usual);

    // The others are at 1, 2, 3, .... The values of a sample beat this number of them in all.
    private static double[] Beating(int wins, int count, int others) =>
        [.. Enumerable.Range(0, count).Select(index => Math.Clamp(wins - (index * others), 0, others) + 0.5 + (index / 1000.0))];

    private static double[] Others(int count) => [.. Enumerable.Range(1, count).Select(static value => (double)value)];
}
