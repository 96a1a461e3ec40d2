using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class RunNoiseTests
{
    // Chi-squared of 9 and of 19 degrees of freedom, 99.5 %: 23.589 and 38.582 in every printed table. 3 % x sqrt(23.589 / 9), 3 % x sqrt(38.582 / 19).
    [Theory]
    [InlineData(10, 0.04857)]
    [InlineData(20, 0.04275)]
    [InlineData(1_000_000, 0.03)]
    public void Permits_what_runs_that_scatter_by_three_percent_may_show(int count, double limit) => Assert.Equal(limit, RunNoise.LimitFor(count), 0.0001);

    // 0.9 and 1.1 in turn: standard deviation 0.10541 of ten. Divided by the square root of 1 / 1 + 1 / 2.
    [Fact]
    public void The_scatter_of_ratios_is_converted_to_that_of_single_runs()
    {
        var noise = RunNoise.Of([0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1], 1.5, [100, 100, 100]);

        Assert.Equal(0.10541 / Math.Sqrt(1.5), noise.RatioCv!.Value, 5);
        Assert.Equal(0, noise.BaselineCv);
        Assert.True(noise.IsTooLarge);
    }

    [Fact]
    public void Baseline_alone_can_scatter_too_much() => Assert.True(RunNoise.Of([1, 1, 1, 1, 1], 1.5, [100, 120, 100, 120, 100, 120, 100, 120]).IsTooLarge);

    [Fact]
    public void One_value_does_not_scatter() => Assert.Equal(new RunNoise(null, null, false), RunNoise.Of([1], 1.5, [100]));
}
