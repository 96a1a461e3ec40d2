using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class LagGrowthTests
{
    [Theory]
    [InlineData(0.9)]
    [InlineData(0.5)]
    public void The_wait_rises_by_the_share_of_events_that_is_not_completed(double completed)
    {
        // This share of each second that is sent is completed. An event of second t waits for all that was left of the seconds before.
        double[] waits = [.. Enumerable.Range(0, 10).Select(second => 0.03 + (second * (1 - completed)))];

        Assert.Equal(1 - completed, LagGrowth.Of(waits, 1)!.Value, 6);
        Assert.True(LagGrowth.IsSeen(waits, 1));
    }

    [Fact]
    public void Windows_of_another_length_give_the_same_growth() =>
        Assert.Equal(0.1, LagGrowth.Of([.. Enumerable.Range(0, 6).Select(static window => window * 0.5)], 5)!.Value, 6);

    [Fact]
    public void A_constant_wait_is_not_growth() => Assert.False(LagGrowth.IsSeen([0.03, 0.031, 0.029, 0.03, 0.032, 0.03], 1));

    [Fact]
    public void One_stall_is_not_growth() => Assert.False(LagGrowth.IsSeen([0.03, 0.03, 0.9, 0.1, 0.03, 0.03], 1));

    [Fact]
    public void A_slow_rise_within_two_percent_is_none() =>
        Assert.False(LagGrowth.IsSeen([.. Enumerable.Range(0, 30).Select(static second => 0.03 + (second * 0.019))], 1));

    [Fact]
    public void Fewer_than_five_windows_give_no_result()
    {
        Assert.Null(LagGrowth.Of([0, 1, 2, 3], 1));
        Assert.Null(LagGrowth.IsSeen([0, 1, 2, 3], 1));
    }

    [Fact]
    public void Waits_that_vary_around_a_mean_are_called_growing_in_at_most_one_of_a_hundred_runs()
    {
        var draws = new SeededSequence(5);

        var seen = Enumerable
            .Range(0, 1000)
            .Count(_ => LagGrowth.IsSeen([.. Enumerable.Range(0, 6).Select(_ => 0.05 * SimulatedBlocks.Scatter(draws, 0.3))], 1) == true);

        Assert.InRange(seen, 0, 10);
    }
}
