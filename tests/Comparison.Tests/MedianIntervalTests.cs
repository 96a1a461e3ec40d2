using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class MedianIntervalTests
{
    [Theory]
    [InlineData(new double[] { 3 }, 3)]
    [InlineData(new double[] { 3, 1 }, 2)]
    [InlineData(new double[] { 4, 1, 3, 2 }, 2.5)]
    public void Fewer_than_five_values_have_a_median_and_no_interval(double[] values, double median) =>
        Assert.Equal(new MedianInterval(median, null, null, values.Length), MedianInterval.Of(values, seed: 1));

    [Fact]
    public void No_values_have_nothing() => Assert.Null(MedianInterval.Of([], seed: 1));

    // The median of five draws of five is the lowest value when three or more are: 10 x 0.2^3 x 0.8^2 + 5 x 0.2^4 x 0.8 + 0.2^5 = 5.8 % > 2.5 %.
    [Fact]
    public void The_interval_of_five_values_reaches_from_the_lowest_to_the_highest() =>
        Assert.Equal(new MedianInterval(1.3, 1.1, 1.5, 5), MedianInterval.Of([1.2, 1.5, 1.3, 1.1, 1.4], seed: 1));

    // The median of nine draws of nine is at most the k-th value when five or more are: P(Bin(9, 2/9) >= 5) = 2.9 %, P(Bin(9, 1/9) >= 5) = 0.1 %.
    [Fact]
    public void The_interval_of_nine_values_reaches_from_the_second_to_the_last_but_one() =>
        Assert.Equal(new MedianInterval(5, 2, 8, 9), MedianInterval.Of([1, 2, 3, 4, 5, 6, 7, 8, 9], seed: 1));

    [Fact]
    public void The_interval_holds_the_median_and_is_within_the_values() =>
        Prop.ForAll(
                Values,
                static values =>
                {
                    var interval = MedianInterval.Of(values, seed: 7)!;
                    return values.Min() <= interval.Low95
                        && interval.Low95 <= interval.Median
                        && interval.Median <= interval.High95
                        && interval.High95 <= values.Max();
                }
            )
            .Check(PropertyCases.Times(0.2));

    [Fact]
    public void The_interval_does_not_depend_on_order_and_unit_of_its_values() =>
        Prop.ForAll(
                Values,
                static values =>
                {
                    var interval = MedianInterval.Of(values, seed: 7)!;
                    // A power of two changes no digit.
                    var scaled = MedianInterval.Of([.. values.Select(static value => 4 * value)], seed: 7)!;
                    return interval == MedianInterval.Of([.. values.Reverse()], seed: 7)
                        && scaled == new MedianInterval(4 * interval.Median, 4 * interval.Low95, 4 * interval.High95, values.Length);
                }
            )
            .Check(PropertyCases.Times(0.2));

    // A fixed value: a recorded seed gives the recorded interval on another machine.
    [Fact]
    public void The_interval_of_a_seed_is_part_of_the_record()
    {
        var interval = MedianInterval.Of([0.97, 0.99, 1.0, 1.004, 1.01, 1.013, 1.02, 1.025, 1.03, 1.06], seed: 42)!;

        Assert.Equal(1.0115, interval.Median, 12);
        Assert.Equal(1, interval.Low95!.Value, 12);
        Assert.Equal(1.025, interval.High95!.Value, 12);
    }

    private static Arbitrary<double[]> Values =>
        (
            from count in Gen.Choose(5, 15)
            from values in Gen.Choose(1, 2000).ListOf(count)
            select values.Select(static one => one / 1000.0).ToArray()
        ).ToArbitrary();
}
