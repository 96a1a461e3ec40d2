using Xunit;

namespace EventHubThroughput.Clients.Tests;

public sealed class ClockDifferenceTests
{
    private static readonly DateTimeOffset Noon = new(2026, 1, 1, 12, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(30, 0, 100, 29_900)]
    [InlineData(-30, 0, 100, -29_000)]
    [InlineData(0, 999, 1_500, 0)]
    [InlineData(1, 0, 1_500, 0)]
    [InlineData(1, 200, 300, 700)]
    public void Proves_no_more_than_whole_seconds_and_the_time_on_the_way_allow(int date, int sent, int received, int atLeast) =>
        Assert.Equal(
            TimeSpan.FromMilliseconds(atLeast),
            ClockDifference.Of(Noon.AddSeconds(date), Noon.AddMilliseconds(sent), Noon.AddMilliseconds(received)).AtLeast
        );
}
