using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Diagnosing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Diagnosing;

public sealed class StorageClockTests
{
    [Theory]
    [InlineData(0, CheckOutcome.Ok, "as that of storage")]
    [InlineData(3, CheckOutcome.Ok, "differs from that of storage by 3 s")]
    [InlineData(30, CheckOutcome.Failed, "the storage clock is 30 s ahead of the clock of this machine")]
    [InlineData(-30, CheckOutcome.Failed, "the storage clock is 30 s later than the clock of this machine")]
    internal void A_difference_fails_above_a_tenth_of_the_ownership_expiry(int seconds, CheckOutcome outcome, string text)
    {
        var clock = new StorageClock(TimeSpan.FromSeconds(30));
        clock.Note(new ClockDifference(default, default, TimeSpan.FromSeconds(seconds)));
        clock.Note(new ClockDifference(default, default, TimeSpan.Zero));

        var result = clock.Check();

        Assert.Equal((outcome, text), (result.Outcome, result.Text));
    }

    [Fact]
    public void Nothing_is_known_before_the_first_answer() =>
        Assert.Equal(CheckResult.Skipped("clock", "storage has not answered"), new StorageClock(TimeSpan.FromSeconds(30)).Check());
}
