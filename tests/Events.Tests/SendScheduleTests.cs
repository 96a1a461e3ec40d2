using Xunit;

namespace EventHubThroughput.Events.Tests;

public sealed class SendScheduleTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void A_rate_spaces_the_events_evenly()
    {
        var schedule = new SendSchedule(400);

        Assert.Equal(TimeSpan.Zero, schedule.OffsetOf(0));
        Assert.Equal(TimeSpan.FromMilliseconds(2.5), schedule.OffsetOf(1));
        Assert.Equal(Start.AddSeconds(25_000), schedule.IntendedAt(10_000_000, Start, Start));
    }

    [Fact]
    public void Rounding_does_not_add_up() => Assert.Equal(TimeSpan.FromSeconds(1_000_000), new SendSchedule(3).OffsetOf(3_000_000));

    [Fact]
    public void Without_a_rate_an_event_is_meant_for_now()
    {
        Assert.Null(new SendSchedule(null).OffsetOf(5));
        Assert.Equal(Start.AddSeconds(9), new SendSchedule(null).IntendedAt(5, Start, Start.AddSeconds(9)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    public void A_rate_that_is_none_is_refused(double rate) => Assert.Throws<ArgumentOutOfRangeException>(() => new SendSchedule(rate));
}
