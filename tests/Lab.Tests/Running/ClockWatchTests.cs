using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Running;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

public sealed class ClockWatchTests
{
    private static readonly DateTimeOffset Noon = new(2026, 1, 1, 12, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(4, "12:00:04")]
    [InlineData(-4, "11:59:56")]
    public void Warns_once_and_names_both_clocks_and_the_expiry(int seconds, string storage)
    {
        List<string> said = [];
        var watch = new ClockWatch(TimeSpan.FromSeconds(30), said.Add);

        watch.Note(Apart(3));
        Assert.Empty(said);
        watch.Note(Apart(seconds));
        watch.Note(Apart(20 * seconds));

        Assert.Equal(
            [
                $"warning: the storage clock is at {storage}, the clock of this machine at 12:00:00.0 (UTC). They differ by more than 10 % of the ownership expiry of 30 s",
            ],
            said
        );
    }

    private static ClockDifference Apart(int seconds) => new(Noon.AddSeconds(seconds), Noon, TimeSpan.FromSeconds(seconds));
}
