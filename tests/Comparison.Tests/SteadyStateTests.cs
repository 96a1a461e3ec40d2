using Xunit;

namespace EventHubThroughput.Comparison.Tests;

public sealed class SteadyStateTests
{
    [Fact]
    public void Settles_when_six_windows_neither_rise_nor_scatter()
    {
        var state = SteadyState.Of([100, 101, 99, 100.5, 99.5, 100.2], predictedCv: null);

        Assert.True(state.IsSettled);
        Assert.Null(state.Reason);
        Assert.InRange(state.Cv!.Value, 0, 0.03);
        Assert.InRange(state.TrendP!.Value, 0.1, 1);
    }

    [Fact]
    public void Needs_six_windows() => Assert.Equal(new SteadyState(null, null, UnsettledReason.TooFewWindows), SteadyState.Of([1, 1, 1, 1, 1], null));

    [Fact]
    public void Looks_at_the_last_six_alone() => Assert.True(SteadyState.Of([1, 20, 50, 100, 101, 99, 100.5, 99.5, 100.2], null).IsSettled);

    [Theory]
    [InlineData(new double[] { 100, 100.1, 100.2, 100.3, 100.4, 100.5 })]
    [InlineData(new double[] { 100.5, 100.4, 100.3, 100.2, 100.1, 100 })]
    [InlineData(new double[] { 100.1, 100, 100.3, 100.2, 100.4, 100.5 })]
    public void A_trend_of_any_size_is_not_a_steady_state(double[] rates) => Assert.Equal(UnsettledReason.Trend, SteadyState.Of(rates, null).Reason);

    // Mean 100, sum of squares 96: standard deviation 4.38 %.
    [Theory]
    [InlineData(null, UnsettledReason.Scatter)]
    [InlineData(0.02, UnsettledReason.Scatter)]
    [InlineData(0.029, UnsettledReason.Scatter)]
    [InlineData(0.03, null)]
    public void Windows_may_scatter_half_as_much_again_as_is_predicted(double? predicted, object? reason)
    {
        var state = SteadyState.Of([104, 96, 104, 96, 104, 96], predicted);

        Assert.Equal(0.04382, state.Cv!.Value, 5);
        Assert.Equal(reason, state.Reason);
    }

    [Fact]
    public void Windows_without_completed_events_are_not_a_steady_state() =>
        Assert.Equal(new SteadyState(1, null, UnsettledReason.NothingCompleted), SteadyState.Of([0, 0, 0, 0, 0, 0], null));

    [Theory]
    [InlineData(100, 0.02, 2, 0, false)]
    [InlineData(100, 0.02, 1.91, 0.0471, false)]
    [InlineData(100, 0.02, 1.9, 0.0526, true)]
    [InlineData(100, 0.02, 2.1, -0.0476, false)]
    [InlineData(100, 0.02, 2.2, -0.0909, true)]
    [InlineData(0, 0, 0, 0, false)]
    [InlineData(100, 0.02, 0, double.PositiveInfinity, true)]
    public void Little_s_law_holds_within_a_twentieth_or_the_timing_is_wrong(double perSecond, double seconds, double inFlight, double error, bool isError)
    {
        var check = LittleCheck.Of(perSecond, seconds, inFlight);

        Assert.Equal(error, check.Error, 4);
        Assert.Equal(isError, check.IsTimingError);
    }
}
