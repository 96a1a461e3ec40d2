using Xunit;

namespace EventHubThroughput.Load.Tests;

public sealed class SoakLagTests
{
    [Fact]
    public void A_lag_that_returns_is_allowed()
    {
        var lag = WithLags([0, 500, .. Enumerable.Repeat(900L, 8), 110, 500]);

        Assert.Equal((true, "lag at the end of a turn: at most 900 events, and above 110 (2 s) in at most 9 turns in succession"), lag.Judge());
        Assert.Equal(900, lag.Largest["F5"]);
    }

    [Fact]
    public void A_lag_that_stays_fails() =>
        Assert.Equal(
            (false, "lag: above 110 events (2 s) at the end of 10 turns in succession, from F1 on. 9 are allowed"),
            WithLags([0, .. Enumerable.Repeat(111L, 10), 0]).Judge()
        );

    [Fact]
    public void A_soak_without_a_turn_has_no_lag() => Assert.True(new SoakLag(55).Judge().Passed);

    private static SoakLag WithLags(IEnumerable<long> lags)
    {
        var lag = new SoakLag(55);
        foreach (var (turn, events) in lags.Index())
        {
            lag.EndTurn($"F{turn}", events);
        }

        return lag;
    }
}
