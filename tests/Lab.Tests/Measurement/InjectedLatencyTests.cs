using EventHubThroughput.Lab.Measurement;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class InjectedLatencyTests
{
    [Theory]
    [InlineData(20, 0, 20.4, false)]
    [InlineData(20, 0, 20.41, true)]
    [InlineData(20, 0, 19.59, true)]
    [InlineData(1, 0, 1.2, false)]
    [InlineData(1, 0, 1.21, true)]
    [InlineData(0, 0, 0.3, true)]
    public void A_mean_is_missed_beyond_two_percent_or_a_fifth_of_a_millisecond(double asked, double deviation, double mean, bool missed)
    {
        Assert.Equal(missed, Of(asked, deviation, mean, 400).IsMissed);
    }

    [Theory]
    [InlineData(400, 22.39, false)]
    [InlineData(400, 22.41, true)]
    [InlineData(40_000, 20.61, true)]
    public void Few_draws_may_be_off_by_chance(long count, double mean, bool missed)
    {
        Assert.Equal(missed, Of(20, 10, mean, count).IsMissed);
    }

    [Fact]
    public void The_latency_of_an_operation_that_never_ran_is_not_missed() => Assert.False(Of(20, 0, 0, 0).IsMissed);

    private static InjectedLatency Of(double asked, double deviation, double mean, long count) =>
        new()
        {
            Operation = "blobWrite",
            AskedMeanMs = asked,
            AskedSdMs = deviation,
            MeanMs = mean,
            Count = count,
        };
}
