using EventHubThroughput.Consumer.Embedded;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Embedded;

public sealed class SentRateTests
{
    [Fact]
    public void Reads_what_a_sender_says_at_its_end() =>
        Assert.Equal(
            new SentRate(1998.5, 2000, TimeSpan.FromSeconds(1.25)),
            SentRate.Parse("achieved 1,998.5 of 2,000.0 events/s, at most 1.250 s after the time that was meant")
        );

    [Theory]
    [InlineData(null)]
    [InlineData("achieved 7,321.3 events/s")]
    [InlineData("error: no hub")]
    public void Another_line_tells_no_rate(string? line) => Assert.Null(SentRate.Parse(line));

    [Theory]
    [InlineData(99, false)]
    [InlineData(98.9, true)]
    public void Less_than_99_percent_of_what_was_meant_is_another_load(double achieved, bool isShort) =>
        Assert.Equal(isShort, new SentRate(achieved, 100, TimeSpan.Zero).IsShort);
}
